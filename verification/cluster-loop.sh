#!/bin/sh
# Kills, pauses and stops each of two servers on one database ROUNDS times and checks all of it: cluster-loop.sh ROUNDS [SEED]
#
# Starts its own PostgreSQL. Histories and the servers' error output stay where the failure message says.
# Exit code 0: all is well; another: a promise was broken, or too little happened.

set -eu

rounds=${1:?usage: cluster-loop.sh ROUNDS [SEED]}
seed=${2:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}

cd "$(dirname "$0")/.."
exec mvn -B -q verify -pl verification -am -Dtest=NONE -Dsurefire.failIfNoSpecifiedTests=false \
  -Dit.test=ClusterLoopIT -Dfailsafe.failIfNoSpecifiedTests=false -Dseriatim.rounds="$rounds" -Dseriatim.seed="$seed"
