#!/bin/sh
# Kills or stops each of two servers on one database ROUNDS times and checks every call: two-servers.sh ROUNDS [SEED]
#
# Starts its own PostgreSQL. History and the servers' error output stay where the failure message says.
# Exit code 0: all is well; another: a promise was broken, or too little happened.

set -eu

rounds=${1:?usage: two-servers.sh ROUNDS [SEED]}
seed=${2:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}

cd "$(dirname "$0")/.."
exec mvn -B -q verify -pl verification -am -Dtest=NONE -Dsurefire.failIfNoSpecifiedTests=false \
  -Dit.test=TwoServersIT -Dfailsafe.failIfNoSpecifiedTests=false -Dseriatim.rounds="$rounds" -Dseriatim.seed="$seed"
