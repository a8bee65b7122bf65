#!/bin/bash
# Sets statuses by hand in the lab under RUN (or OVN=1), as a provider's agent would:
#   status.sh loadbalancers|listeners|pools|members|healthmonitors ID [provisioning_status=ERROR] [operating_status=OFFLINE]
# Members that fail their health checks: one `address` or `address:port` a line in $RUN/members-down/<project id>.
set -euo pipefail
. "$(dirname "$0")/processes.sh"
[ $# -ge 3 ] || fail "$(sed -n '3s/^# *//p' "$0")"
[ -S "$RUN/faults.sock" ] || fail "No OpenStack lab runs in $RUN"
exec /usr/bin/python3 - "$RUN/faults.sock" "$@" <<'PYTHON'
import json, socket, sys
path, kind, id, *pairs = sys.argv[1:]
link = socket.socket(socket.AF_UNIX)
link.connect(path)
link.sendall(json.dumps({kind: [dict((pair.split("=", 1) for pair in pairs), id=id)]}).encode() + b"\n")
answer = json.loads(link.makefile().readline())
sys.exit(0 if answer.get("status_code") == 200 else str(answer))
PYTHON
