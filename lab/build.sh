#!/bin/bash
# Gets every part of the lab onto this machine, without starting any: packages and Go builds side by side. PARTS names some of them.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
PARTS=${PARTS:-kube cluster-api openstack dns browser prometheus gateway shells}
wanted() { [[ " $PARTS " == *" $1 "* ]]; }

# Cluster API shares most of what it compiles with Kubernetes, so it waits for that.
compile() {
  if wanted kube || wanted cluster-api; then kube/build.sh >/dev/null || return 1; fi
  if wanted cluster-api; then cluster-api/build.sh >/dev/null || return 1; fi
}
# One after the other: there is one lock for Debian's packages.
install() {
  local failed=0
  if wanted browser; then browser/install.sh >&2 || failed=1; fi
  if wanted prometheus; then prometheus/install.sh || failed=1; fi
  if wanted gateway; then gateway/install.sh || failed=1; fi
  if wanted shells; then shells/install.sh || failed=1; fi
  if wanted openstack; then openstack/install.sh || failed=1; fi
  if wanted dns; then dns/install.sh || failed=1; fi
  return $failed
}

./tools.sh || exit 1
# Each in a process group of its own, so that it ends with all that it started.
set -m
compile </dev/null &
compiling=$!
install </dev/null &
installing=$!
trap 'kill -- "-$compiling" "-$installing" 2>/dev/null; wait' EXIT
trap 'exit 130' INT TERM HUP
code=0
wait "$compiling" || code=1
wait "$installing" || code=1
exit $code
