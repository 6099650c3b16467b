#!/bin/sh
# Kills a server KILLS times while clients append events and followers read them: command-loop.sh KILLS [SEED]
#
# Needs the jars of `mvn -Dquick -pl verification -am package`. Data and the server's error output stay in
# verification/target/command-loop. Exit code 0: all is well; 1: a promise was broken.

. "$(dirname "$0")/loop.sh"
loop command-loop CommandLoopMain "${1:?usage: command-loop.sh KILLS [SEED]}" "${2:-}"
