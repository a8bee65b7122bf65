# Sourced by parts that run Debian's packages: which of them are missing, and getting those without starting any service, now or at
# the next boot. The part lists them in `packages`.

missing_packages() {
  local name
  for name in "${packages[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || echo "$name"
  done
}

# Without root, or elsewhere than on Debian, it says so and succeeds, unless LAB=required.
install_packages() { # words-when-there words-for-the-work services...
  local there=$1 work=$2 policy=/usr/sbin/policy-rc.d log
  shift 2
  command -v dpkg-query >/dev/null || { say "$PART: needs Debian's packages, and this is no Debian (its tests are skipped without)"; [ "${LAB:-}" != required ]; return; }
  if [ -z "$(missing_packages)" ]; then
    say "$PART: $there"
    return 0
  fi
  if [ "$(id -u)" != 0 ]; then
    say "$PART: not installed; as root: apt-get install --no-install-recommends ${packages[*]}"
    [ "${LAB:-}" != required ]
    return
  fi
  say "$PART: installing $work"

  # Debian starts a service as soon as it is installed, unless this program says no.
  if [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' >$policy
    chmod +x $policy
    trap "rm -f $policy" EXIT
    trap 'exit 130' INT TERM HUP
  fi
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  if ! { apt-get update -qq && apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=600 "${packages[@]}"; } >"$log" 2>&1; then
    tail -20 "$log" >&2
    fail "$PART: the packages could not be installed; apt-get's words are in $log"
  fi
  rm -f "$log"
  # Not at the next boot either.
  if command -v systemctl >/dev/null; then systemctl disable --quiet "$@" 2>/dev/null || true; fi
  say "$PART: installed"
}
