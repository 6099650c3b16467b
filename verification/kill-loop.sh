#!/bin/sh
# Kills a server under load ROUNDS times and checks that no number came twice: kill-loop.sh ROUNDS [SEED]
#
# Needs the jars of `mvn -Dquick -pl verification -am package`. Data, history and the server's error output stay in
# verification/target/kill-loop. Exit code 0: all is well; 1: a promise was broken; 2: too little happened.

set -eu

root=$(CDPATH='' cd -P "$(dirname "$0")/.." && pwd)
jar=$root/server/target/seriatim.jar
classes=$root/verification/target/classes
rounds=${1:?usage: kill-loop.sh ROUNDS [SEED]}
seed=${2:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}

for built in "$jar" "$classes"; do
  [ -e "$built" ] || {
    echo "kill-loop: $built is missing; run: mvn -Dquick -pl verification -am package" >&2
    exit 69
  }
done

exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx1g -Dseriatim.jar="$jar" -cp "$classes:$jar" \
  io.seriatim.verification.KillLoopMain "$root/verification/target/kill-loop/$(date +%Y%m%dT%H%M%S)-$seed" "$rounds" "$seed"
