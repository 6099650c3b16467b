#!/bin/sh
# Kills transactions of eight threads KILLS times and checks what is durable: transaction-loop.sh KILLS [SEED]
#
# Needs the jars of `mvn -Dquick -pl verification -am package`. Data stay in verification/target/transaction-loop. Exit code
# 0: all is well; 1: a promise was broken.

. "$(dirname "$0")/loop.sh"
loop transaction-loop TransactionLoopMain "${1:?usage: transaction-loop.sh KILLS [SEED]}" "${2:-}"
