#!/bin/sh
# build/unraced.sh PACKAGE FLAGS...: prints the tests of a package that are not built under the race detector, as a pattern for
# go test -run. FLAGS are those of the test run under the race detector, so that nothing is compiled twice.
set -eu
package=$1
shift
plain=$(go test -list '^Test' "$package")
raced=$(go test "$@" -list '^Test' "$package")
only=$(printf '%s\n%s\n' "$plain" "$raced" | grep '^Test' | sort | uniq -u | paste -sd'|' -)
[ -n "$only" ] || { echo "every test of $package is built under the race detector" >&2; exit 1; }
echo "^($only)\$"
