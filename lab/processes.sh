# Sourced by the scripts of every part: words for people, processes known by pid and kernel start time (so that a number used again
# by somebody else is never taken for ours), and free ports. The part names itself in PART and, if it runs anything, its folders in
# CACHE and RUN.
[ -r /proc/self/stat ] || { echo "The $PART lab needs Linux: it knows its processes by /proc." >&2; exit 1; }
case ${RUN-/} in /*) ;; *) RUN=$PWD/$RUN ;; esac

say() { printf '%s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

needs() { # command...
  local command
  for command; do command -v "$command" >/dev/null || fail "The $PART lab needs the command $command; please install it."; done
}

# Kernel start time of a process that is alive and no zombie; nothing otherwise.
start_time() { # pid
  local stat fields
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  # The command's name, in brackets, may hold anything: read on from the last bracket. State is the first field then.
  read -ra fields <<<"${stat##*) }"
  [ "${fields[0]}" != Z ] && echo "${fields[19]}"
}

# The pid of a process that up.sh started, when it still lives.
pid_of() { # name
  local pid started
  read -r pid started 2>/dev/null <"$RUN/pids/$1" || return 1
  [ "$(start_time "$pid")" = "$started" ] && echo "$pid"
}

# In a session of its own, so that what it starts itself can be ended with it.
start() { # name command...
  local name=$1 pid started
  shift
  # Our locks must not live on in the process: close them there.
  setsid "$@" >>"$RUN/log/$name.log" 2>&1 </dev/null 7>&- 8>&- 9>&- &
  pid=$!
  started=$(start_time "$pid") || { tail -5 "$RUN/log/$name.log" >&2; fail "$name did not start"; }
  echo "$pid $started" >"$RUN/pids/$name"
}

# Three seconds to end by itself, or PATIENCE.
stop() { # name [signal]
  local pid signal=${2:-TERM} patience=$((${PATIENCE:-3} * 20))
  if pid=$(pid_of "$1"); then
    kill "-$signal" -- "-$pid" 2>/dev/null || kill "-$signal" "$pid" 2>/dev/null || true
    while pid_of "$1" >/dev/null && [ $((patience -= 1)) -gt 0 ]; do sleep 0.05; done
    if pid_of "$1" >/dev/null; then
      # An API server drains open watches for up to a minute.
      say "$1 still drains after ${PATIENCE:-3} s: killed"
      kill -KILL -- "-$pid" 2>/dev/null || true
      while pid_of "$1" >/dev/null; do sleep 0.05; done
    else
      say "$1 stopped"
    fi
  fi
  rm -f "$RUN/pids/$1"
}

# Waits until a command succeeds, as long as the process it asks lives.
wait_for() { # name seconds command...
  local name=$1 tries=$(($2 * 20))
  shift 2
  until "$@" >/dev/null 2>&1; do
    pid_of "$name" >/dev/null || { tail -20 "$RUN/log/$name.log" >&2; fail "$name died; its log is $RUN/log/$name.log"; }
    [ $((tries -= 1)) -gt 0 ] || fail "$name does not get ready; its log is $RUN/log/$name.log"
    sleep 0.05
  done
}

began=$(date +%s%3N)
seconds() { awk -v ms=$(($(date +%s%3N) - began)) 'BEGIN { printf "%.1f s", ms / 1000 }'; }

# Labs that start at the same moment must not choose the same ports: this holds until the script ends.
lock_ports() { exec 9>"$CACHE/ports.lock" && flock 9; }
taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
chosen=" "
choose() { # variable wished
  local port=$2
  while taken "$port" || [[ $chosen == *" $port "* ]]; do port=$((port + 1)); done
  [ "$port" = "$2" ] || say "Port $2 is taken: $1 is $port"
  chosen+="$port "
  printf -v "$1" %s "$port"
}
