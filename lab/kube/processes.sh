# Sourced by the scripts here: where things live, and processes known by pid and kernel start time, so that a number
# used again by somebody else is never taken for ours. Needs Linux (/proc), setsid and flock.
[ -r /proc/self/stat ] || { echo "The Kubernetes lab needs Linux: it knows its processes by /proc." >&2; exit 1; }

CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/mainstay/kube
RUN=${RUN:-${MAINSTAY_LAB_KUBE:-$CACHE/run}}
case $RUN in /*) ;; *) RUN=$PWD/$RUN ;; esac

say() { printf '%s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

needs() { # command...
  local command
  for command; do command -v "$command" >/dev/null || fail "The Kubernetes lab needs the command $command; please install it."; done
}

# Kernel start time of a process that is alive and no zombie; nothing otherwise.
start_time() { # pid
  local stat fields
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  # The command's name, in brackets, may hold anything: read on from the last bracket. State is the first field then.
  read -ra fields <<<"${stat##*) }"
  [ "${fields[0]}" != Z ] && echo "${fields[19]}"
}

# The pid of a part that up.sh started, when it still lives.
pid_of() { # part
  local pid started
  read -r pid started 2>/dev/null <"$RUN/pids/$1" || return 1
  [ "$(start_time "$pid")" = "$started" ] && echo "$pid"
}

start() { # part command...
  local part=$1 pid started
  shift
  # Our locks must not live on in the process: close them there.
  setsid "$@" >>"$RUN/log/$part.log" 2>&1 </dev/null 7>&- 8>&- 9>&- &
  pid=$!
  started=$(start_time "$pid") || { tail -5 "$RUN/log/$part.log" >&2; fail "$part did not start"; }
  echo "$pid $started" >"$RUN/pids/$part"
}

stop() { # part [signal]
  local pid signal=${2:-TERM} patience=60
  if pid=$(pid_of "$1"); then
    kill "-$signal" "$pid" 2>/dev/null || true
    while pid_of "$1" >/dev/null && [ $((patience -= 1)) -gt 0 ]; do sleep 0.05; done
    if pid_of "$1" >/dev/null; then
      # An API server drains open watches for up to a minute.
      say "$1 still drains after 3 s: killed"
      kill -KILL "$pid" 2>/dev/null || true
      while pid_of "$1" >/dev/null; do sleep 0.05; done
    else
      say "$1 stopped"
    fi
  fi
  rm -f "$RUN/pids/$1"
}

admin_curl() { # path
  curl -fsS --max-time 5 --cacert "$RUN/pki/ca.crt" --cert "$RUN/pki/admin.crt" --key "$RUN/pki/admin.key" "https://127.0.0.1:$APIPORT$1" 2>/dev/null
}

# Waits until a command succeeds, as long as the part it asks lives.
wait_for() { # part seconds command...
  local part=$1 tries=$(($2 * 20))
  shift 2
  until "$@" >/dev/null 2>&1; do
    pid_of "$part" >/dev/null || { tail -20 "$RUN/log/$part.log" >&2; fail "$part died; its log is $RUN/log/$part.log"; }
    [ $((tries -= 1)) -gt 0 ] || fail "$part does not get ready; its log is $RUN/log/$part.log"
    sleep 0.05
  done
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
