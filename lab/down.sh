#!/bin/bash
# Stops exactly what up.sh started, and nothing else. PURGE=1 also removes the run folders, with all data.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
unset RUN OVN
code=0
"$here/dns/down.sh" || code=1
"$here/cluster-api/down.sh" || code=1
OVN=1 "$here/openstack/down.sh" || code=1
"$here/openstack/down.sh" || code=1
"$here/kube/down.sh" || code=1
exit $code
