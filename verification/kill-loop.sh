#!/bin/sh
# Kills a server under load ROUNDS times and checks that no number came twice: kill-loop.sh ROUNDS [SEED]
#
# Needs the jars of `mvn -Dquick -pl verification -am package`. Data, history and the server's error output stay in
# verification/target/kill-loop. Exit code 0: all is well; 1: a promise was broken; 2: too little happened.

. "$(dirname "$0")/loop.sh"
loop kill-loop KillLoopMain "${1:?usage: kill-loop.sh ROUNDS [SEED]}" "${2:-}"
