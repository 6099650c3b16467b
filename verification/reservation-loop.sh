#!/bin/sh
# Kills a process that reserves numbers KILLS times and checks that each is accounted for: reservation-loop.sh KILLS [SEED]
#
# Needs the jars of `mvn -Dquick -pl verification -am package`. Data and error output stay in
# verification/target/reservation-loop. Exit code 0: all is well; 1: a promise was broken.

set -eu

root=$(CDPATH='' cd -P "$(dirname "$0")/.." && pwd)
jar=$root/server/target/seriatim.jar
classes=$root/verification/target/classes
kills=${1:?usage: reservation-loop.sh KILLS [SEED]}
seed=${2:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}

for built in "$jar" "$classes"; do
  [ -e "$built" ] || {
    echo "reservation-loop: $built is missing; run: mvn -Dquick -pl verification -am package" >&2
    exit 69
  }
done

exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx1g -cp "$classes:$jar" io.seriatim.verification.ReservationLoopMain \
  "$root/verification/target/reservation-loop/$(date +%Y%m%dT%H%M%S)-$seed" "$kills" "$seed"
