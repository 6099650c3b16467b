#!/bin/sh
# Looks for texts that break numbering, five minutes each: fuzz.sh [TARGET...]
#
# A target is Class#method of a fuzz test; without one, all are run. What is found is kept beside the test's inputs in
# src/test/resources, where every later build tries it again. Exit code 0: nothing was found.

set -eu

root=$(CDPATH='' cd -P "$(dirname "$0")/.." && pwd)
if [ $# -eq 0 ]; then
  set -- \
    'NumberingFuzzTest#template_anyText_isRefusedOrReadBack' \
    'NumberingFuzzTest#number_anyText_isReadOrNot' \
    'ConvertFuzzTest#text_ofAnyProduct_isConvertedOrToldPartByPart'
fi
cd "$root"
for target; do
  echo "fuzz: $target"
  JAZZER_FUZZ=1 mvn -B -q -pl engine -Dtest="$target" -Djunit.jupiter.execution.timeout.mode=disabled test
done
