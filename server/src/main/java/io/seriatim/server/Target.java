package io.seriatim.server;

/** What the command line sends its calls to. */
interface Target {

    /**
     * Sends a call and returns its answer.
     *
     * @throws Refusal if there is nobody to answer it
     */
    Reply send(Call call);
}
