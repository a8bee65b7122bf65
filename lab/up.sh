#!/bin/bash
# Gets and starts every part of the lab; what is already up stays as it is. PARTS names some of them: PARTS="kube openstack".
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export PARTS=${PARTS:-kube cluster-api openstack dns browser prometheus gateway shells}
wanted() { [[ " $PARTS " == *" $1 "* ]]; }
unset RUN OVN
"$here/build.sh"
if wanted kube || wanted cluster-api; then "$here/kube/up.sh"; fi
if wanted cluster-api; then "$here/cluster-api/up.sh"; fi
if wanted openstack; then
  "$here/openstack/up.sh"
  OVN=1 "$here/openstack/up.sh"
fi
if wanted dns; then "$here/dns/up.sh"; fi
