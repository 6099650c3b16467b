#!/bin/sh
# Kills a process that appends events KILLS times and checks offsets and numbers: event-log-loop.sh KILLS [SEED]
#
# Needs the jars of `mvn -Dquick -pl verification -am package`. Data and error output stay in
# verification/target/event-log-loop. Exit code 0: all is well; 1: a promise was broken.

. "$(dirname "$0")/loop.sh"
loop event-log-loop EventLogLoopMain "${1:?usage: event-log-loop.sh KILLS [SEED]}" "${2:-}"
