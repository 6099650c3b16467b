#!/bin/sh
# The measurements of docs/performance.md, one after the other; about 20 minutes on a quiet machine.
#
#   benchmarks/run.sh            all of them
#   benchmarks/run.sh smoke      all of them, too short to mean anything (some minutes)
#   benchmarks/run.sh next|wasted|http|ordered|wakeup|postgresql|start|counters|transactions|cost|commands|pgcommands|append|reopen|restart
#                            [rounds] [seconds]
#
# Results go to stdout as tables. Build first: mvn -B -Dquick -pl benchmarks -am package

set -eu

root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
jar=$root/benchmarks/target/benchmarks.jar
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
[ -f "$jar" ] || { echo "run.sh: no $jar; build it first" >&2; exit 69; }

run() { # class, then its arguments
  class=$1
  shift
  "$java" -cp "$jar" "io.seriatim.benchmarks.$class" "$@"
}

# Writes go to a folder beside this script's builds: it has to be on a disk, not in memory.
ordered() { # rounds, seconds
  folder=$root/benchmarks/target/ordered-data
  rm -rf "$folder"
  mkdir -p "$folder"
  run OrderedNext "$1" "$2" "$folder"
  rm -rf "$folder"
}

transactions() { # seconds
  folder=$root/benchmarks/target/transactions-data
  rm -rf "$folder"
  mkdir -p "$folder"
  run TransactionsTable "$1" "$folder"
  rm -rf "$folder"
}

cost() { # rounds, seconds
  folder=$root/benchmarks/target/cost-data
  rm -rf "$folder"
  mkdir -p "$folder"
  run TransactionCost "$1" "$2" "$folder"
  rm -rf "$folder"
}

commands() { # rounds, seconds
  folder=$root/benchmarks/target/commands-data
  rm -rf "$folder"
  mkdir -p "$folder"
  run DurableCommands "$1" "$2" "$folder"
  rm -rf "$folder"
}

append() { # rounds, seconds
  folder=$root/benchmarks/target/append-data
  rm -rf "$folder"
  mkdir -p "$folder"
  run HttpAppend "$root/server/target/seriatim.jar" "$1" "$2" "$folder"
  rm -rf "$folder"
}

reopen() { # events ...
  folder=$root/benchmarks/target/reopen-data
  rm -rf "$folder"
  mkdir -p "$folder"
  run ServerRestart "$root/server/target/seriatim.jar" "$folder" "$@"
  rm -rf "$folder"
}

# The last two make logs of ten million events: about five minutes and five gigabytes.
restart() { # events/workspaces ...
  folder=$root/benchmarks/target/restart-data
  rm -rf "$folder"
  mkdir -p "$folder"
  run Restart "$folder" "$@"
  rm -rf "$folder"
}

# ./seriatim makes the archive where it is missing.
start() { # rounds
  "$root/seriatim" --version >&2
  version=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.version = //p')
  run StartTime "$root/server/target/seriatim.jar" "$root/server/target/seriatim-$version.jsa" "$1"
}

machine() {
  printf 'machine: %s, %s processors, %s; ' \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(uname -sr)"
  printf 'Java %s; %s; commit %s\n\n' \
    "$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.vm\.version = //p')" \
    "$(date -u +%F)" "$(git -C "$root" rev-parse --short HEAD)"
}

what=${1:-all}
case $what in
  all)
    machine
    run FastNextTable 3 1
    echo
    run Wasted 5
    echo
    run HttpNext 5 5
    echo
    ordered 3 5
    echo
    run WakeUp 2000
    echo
    run PostgresNext 3 5
    echo
    start 10
    echo
    run ManyCounters
    echo
    transactions 1
    echo
    cost 3 5
    echo
    commands 3 5
    echo
    run PostgresCommands 3 5
    echo
    append 3 5
    echo
    reopen 10000 1000000 10000000
    echo
    restart
    ;;
  smoke)
    machine
    run FastNextTable 1 0.1
    echo
    run Wasted 1
    echo
    run HttpNext 1 1
    echo
    ordered 1 1
    echo
    run WakeUp 100
    echo
    run PostgresNext 1 1
    echo
    start 1
    echo
    run ManyCounters 120000 50000
    echo
    transactions 0.1
    echo
    cost 1 1
    echo
    commands 1 1
    echo
    run PostgresCommands 1 1
    echo
    append 1 1
    echo
    reopen 10000 20000
    echo
    restart 1000/100 10000/10000
    ;;
  next) run FastNextTable "${2:-3}" "${3:-1}" ;;
  wasted) run Wasted "${2:-5}" ;;
  http) run HttpNext "${2:-5}" "${3:-5}" ;;
  wakeup) run WakeUp "${2:-2000}" ;;
  ordered) ordered "${2:-3}" "${3:-5}" ;;
  postgresql) run PostgresNext "${2:-3}" "${3:-5}" ;;
  counters) run ManyCounters "${2:-1000000}" "${3:-2000000}" ;;
  transactions) transactions "${2:-1}" ;;
  cost) cost "${2:-3}" "${3:-5}" ;;
  commands) commands "${2:-3}" "${3:-5}" ;;
  pgcommands) run PostgresCommands "${2:-3}" "${3:-5}" ;;
  append) append "${2:-3}" "${3:-5}" ;;
  reopen)
    shift
    if [ $# = 0 ]; then set -- 10000 1000000 10000000; fi
    reopen "$@"
    ;;
  restart)
    shift
    restart "$@"
    ;;
  start) start "${2:-10}" ;;
  *)
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
