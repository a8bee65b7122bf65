#!/bin/bash
# apiserver.sh stop | kill | start: the API server of the lab under RUN alone, for tests of what happens without it.
# `stop` lets it finish as an upgrade would, `kill` does not; `start` comes back on the same port with the same data.
set -euo pipefail
. "$(dirname "$0")/processes.sh"
needs curl setsid
[ -r "$RUN/settings" ] || fail "No Kubernetes lab was started in $RUN"
. "$RUN/settings"
case ${1:-} in
  stop) stop kube-apiserver ;;
  kill) stop kube-apiserver KILL ;;
  start)
    if pid_of kube-apiserver >/dev/null; then fail "kube-apiserver already runs"; fi
    start_apiserver
    ;;
  *) fail "usage: RUN=<folder> lab/kube/apiserver.sh stop | kill | start" ;;
esac
