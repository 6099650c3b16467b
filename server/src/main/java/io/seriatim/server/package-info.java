/** The HTTP API and the command line. */
@NullMarked
package io.seriatim.server;

import org.jspecify.annotations.NullMarked;
