# Sourced by the scripts here: where the Kubernetes lab lives, how its API server is asked and started.
PART=Kubernetes
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/mainstay/kube
RUN=${RUN:-${MAINSTAY_LAB_KUBE:-$CACHE/run}}
. "$(dirname "${BASH_SOURCE[0]}")/../processes.sh"

admin_curl() { # path
  curl -fsS --max-time 5 --cacert "$RUN/pki/ca.crt" --cert "$RUN/pki/admin.crt" --key "$RUN/pki/admin.key" "https://127.0.0.1:$APIPORT$1" 2>/dev/null
}

apiserver_ready() { [ "$(admin_curl /readyz)" = ok ]; }

# Starts the API server with what up.sh noted in $RUN/settings, and waits until it is ready.
start_apiserver() {
  # shellcheck disable=SC2086 # EXTRA_APISERVER_ARGS is a list of words
  start kube-apiserver "$BIN/kube-apiserver" --etcd-servers="http://127.0.0.1:$ETCDPORT" --bind-address=127.0.0.1 \
    --advertise-address=127.0.0.1 --secure-port="$APIPORT" --endpoint-reconciler-type=none \
    --tls-cert-file="$RUN/pki/apiserver.crt" --tls-private-key-file="$RUN/pki/apiserver.key" --client-ca-file="$RUN/pki/ca.crt" \
    --token-auth-file="$RUN/pki/tokens.csv" --authorization-mode=RBAC --anonymous-auth=true \
    --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$RUN/pki/sa.pub" \
    --service-account-signing-key-file="$RUN/pki/sa.key" --service-cluster-ip-range=10.96.0.0/16 \
    --service-node-port-range=20000-60000 --allow-privileged=true --profiling=false --cert-dir="$RUN/pki" ${EXTRA_APISERVER_ARGS:-}
  wait_for kube-apiserver 60 apiserver_ready
}
