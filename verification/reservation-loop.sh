#!/bin/sh
# Kills a process that reserves numbers KILLS times and checks that each is accounted for: reservation-loop.sh KILLS [SEED]
#
# Needs the jars of `mvn -Dquick -pl verification -am package`. Data and error output stay in
# verification/target/reservation-loop. Exit code 0: all is well; 1: a promise was broken.

. "$(dirname "$0")/loop.sh"
loop reservation-loop ReservationLoopMain "${1:?usage: reservation-loop.sh KILLS [SEED]}" "${2:-}"
