#!/bin/bash
# Stops exactly what up.sh started under the same RUN, and nothing else. PURGE=1 also removes RUN with its data.
set -euo pipefail
. "$(dirname "$0")/processes.sh"
[ -d "$RUN/pids" ] || { say "No DNS lab was started in $RUN"; exit 0; }
needs flock
exec 8>"$RUN/.lock"
flock 8
pid_of named >/dev/null || say "The DNS lab in $RUN was not running"
stop named
[ "${PURGE:-0}" != 1 ] || rm -rf "$RUN"
