#!/bin/sh
# Format, types (all of it, then core and the dashboard, which have their own projects), lint and dead code: all run, so that one failure does not
# hide the next. Called by `npm run check`, which puts the right Node and the tools on the path.
failed=
step() { # name command...
  name=$1
  shift
  echo "--- $name"
  "$@" || failed="$failed $name,"
}
step format biome check .
step types tsc -p tsconfig.json
step core-types tsc -p tsconfig.core.json
step dashboard-types tsc -p src/dashboard/tsconfig.json
step lint oxlint --type-aware --deny-warnings
step dead-code knip --no-progress
[ -z "$failed" ] || { echo "Not clean:${failed%,}"; exit 1; }
echo "All clean: format, types, lint, dead code"
