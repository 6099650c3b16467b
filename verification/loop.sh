# What the loops beside it share; each reads it in.

set -eu

root=$(CDPATH='' cd -P "$(dirname "$0")/.." && pwd)
jar=$root/server/target/seriatim.jar
classes=$root/verification/target/classes

# Runs a loop in a folder of its own below verification/target: loop NAME MAIN_CLASS COUNT SEED, at random if empty
loop() {
  seed=${4:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}

  for built in "$jar" "$classes"; do
    [ -e "$built" ] || {
      echo "$1: $built is missing; run: mvn -Dquick -pl verification -am package" >&2
      exit 69
    }
  done

  exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx1g -Dseriatim.jar="$jar" -cp "$classes:$jar" \
    "io.seriatim.verification.$2" "$root/verification/target/$1/$(date +%Y%m%dT%H%M%S)-$seed" "$3" "$seed"
}
