#!/bin/bash
# Runs Cluster API's managers on loopback against the Kubernetes lab: their CRDs with conversion, their admission webhooks. What is already
# up and answers stays as it is. Everything lives under $RUN. Environment:
#   RUN         folder of this lab (default: the user's cache); a lab of one's own has one of its own
#   KUBE        run folder of the Kubernetes lab whose API server they shall work on (default: the shared one). KUBECONFIG is never
#               looked at: it may name a cluster that somebody needs
#   BIN         folder with the managers (default: what build.sh finds or makes)
#   PORT        first of nine wished ports; one that is taken gives way to the next free one
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/processes.sh"
needs openssl curl setsid flock awk base64
mkdir -p "$CACHE" "$RUN"/{pki,log,pids}
exec 8>"$RUN/.lock"
flock 8

kube=${XDG_CACHE_HOME:-$HOME/.cache}/mainstay/kube
KUBE=${KUBE:-${MAINSTAY_LAB_KUBE:-$kube/run}}
export KUBECONFIG=$KUBE/kubeconfig
[ -r "$KUBECONFIG" ] || fail "There is no API server for the Cluster API lab: $KUBECONFIG is absent. Start lab/kube first."
KUBECTL=$(cat "$KUBE/bin-dir" 2>/dev/null || echo "$kube/bin")/kubectl

manager_ready() { curl -sf -o /dev/null --max-time 5 "http://127.0.0.1:$1/readyz"; }
if [ -r "$RUN/settings" ]; then
  . "$RUN/settings"
  ready=1
  for name in "${managers[@]}"; do
    port=health_${name//-/_}
    pid_of "$name" >/dev/null && manager_ready "${!port}" || ready=0
  done
  if [ "$ready" = 1 ] && [ "$works_on" = "$KUBECONFIG" ]; then
    say "The Cluster API lab is already up"
    exit 0
  fi
fi
for name in "${managers[@]}"; do if [ -e "$RUN/pids/$name" ]; then stop "$name"; fi; done
BIN=${BIN:-$("$here/build.sh" 8>&-)}

began=$(date +%s%3N)
up=0
trap '[ $up = 1 ] || for name in "${managers[@]}"; do stop "$name"; done' EXIT
trap 'exit 130' INT TERM HUP
if ! openssl x509 -checkend $((7 * 24 * 3600)) -noout -in "$RUN/pki/tls.crt" >/dev/null 2>&1; then
  (umask 077 && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj /CN=127.0.0.1 \
    -addext subjectAltName=IP:127.0.0.1 -keyout "$RUN/pki/tls.key" -out "$RUN/pki/tls.crt" 2>/dev/null)
fi

lock_ports
port=${PORT:-19443}
printf '%s=%q\n' works_on "$KUBECONFIG" kubectl "$KUBECTL" bin "$BIN" >"$RUN/settings"
for name in "${managers[@]}"; do
  choose chosen_webhook "$port"
  choose chosen_health $((port + 1))
  choose chosen_metrics $((port + 2))
  printf '%s=%q\n' "health_${name//-/_}" "$chosen_health" >>"$RUN/settings"
  rm -f "$RUN/log/$name.log"
  # Applied before the manager starts: it ends without its CRDs.
  "$here/manifests.sh" "$BIN/config/$name" "$name" "$chosen_webhook" "$RUN/pki/tls.crt" |
    "$KUBECTL" apply --server-side --force-conflicts --field-manager=mainstay-lab -f - >>"$RUN/log/$name.log"
  # On a fresh server they take a moment to be served.
  "$KUBECTL" wait --for=condition=Established --timeout=60s crd --selector cluster.x-k8s.io/v1beta2 >>"$RUN/log/$name.log"
  POD_NAMESPACE=default POD_NAME=$name POD_UID=$name start "$name" "$BIN/$name" --kubeconfig "$KUBECONFIG" --leader-elect=false \
    --webhook-port "$chosen_webhook" --webhook-cert-dir "$RUN/pki" --diagnostics-address "127.0.0.1:$chosen_metrics" \
    --insecure-diagnostics --health-addr "127.0.0.1:$chosen_health"
  port=$((port + 3))
done
. "$RUN/settings"
for name in "${managers[@]}"; do
  port=health_${name//-/_}
  wait_for "$name" 60 manager_ready "${!port}"
done
up=1
say "The Cluster API lab is up in $(seconds), on the API server of $KUBECONFIG"
