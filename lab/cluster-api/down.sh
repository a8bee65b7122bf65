#!/bin/bash
# Stops exactly what up.sh started under the same RUN, and nothing else. The webhook configurations are removed first: without their
# webhooks the API server would refuse every write. The CRDs and their objects stay with the API server. PURGE=1 also removes RUN.
set -euo pipefail
. "$(dirname "$0")/processes.sh"
[ -d "$RUN/pids" ] || { say "No Cluster API lab was started in $RUN"; exit 0; }
needs flock
exec 8>"$RUN/.lock"
flock 8
found=0
for name in "${managers[@]}"; do if pid_of "$name" >/dev/null; then found=1; fi; done
if [ "$found" = 1 ] && [ -r "$RUN/settings" ]; then
  . "$RUN/settings"
  for kind in mutating validating; do
    "$kubectl" --kubeconfig "$works_on" --request-timeout=5s delete --ignore-not-found "${kind}webhookconfiguration" \
      "${managers[@]/#/$kind-webhook-configuration-}" >/dev/null 2>&1 || true
  done
fi
for name in "${managers[@]}"; do stop "$name"; done
[ "$found" = 1 ] || say "The Cluster API lab in $RUN was not running"
[ "${PURGE:-0}" != 1 ] || rm -rf "$RUN"
