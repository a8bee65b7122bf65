#!/bin/bash
# Stops exactly what up.sh started under the same RUN (or OVN=1), and nothing else. PURGE=1 also removes RUN with its data.
set -euo pipefail
. "$(dirname "$0")/processes.sh"
[ -d "$RUN/pids" ] || { say "No OpenStack lab was started in $RUN"; exit 0; }
needs flock
exec 8>"$RUN/.lock"
flock 8
found=0
for name in "${everything[@]}"; do if pid_of "$name" >/dev/null; then found=1; fi; done
stop_everything
[ "$found" = 1 ] || say "The OpenStack lab in $RUN was not running"
[ "${PURGE:-0}" != 1 ] || rm -rf "$RUN"
