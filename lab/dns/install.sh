#!/bin/bash
# Installs Debian's BIND and its tools, within a minute. Nothing of it is started, or starts by itself later.
set -euo pipefail
. "$(dirname "$0")/processes.sh"

command -v dpkg-query >/dev/null || { say "DNS: needs Debian's packages, and this is no Debian (its tests are skipped without)"; [ "${LAB:-}" != required ]; exit; }
mapfile -t missing < <(missing_packages)
if [ ${#missing[@]} = 0 ]; then
  say "DNS: BIND is installed"
  exit 0
fi
if [ "$(id -u)" != 0 ]; then
  say "DNS: not installed; as root: apt-get install --no-install-recommends ${packages[*]}"
  [ "${LAB:-}" != required ]
  exit
fi
say "DNS: installing Debian's BIND"

# Debian starts a service as soon as it is installed, unless this program says no.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  printf '#!/bin/sh\nexit 101\n' >$policy
  chmod +x $policy
  trap 'rm -f $policy' EXIT
  trap 'exit 130' INT TERM HUP
fi
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update -qq && apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=600 "${packages[@]}"; } >"$log" 2>&1; then
  tail -20 "$log" >&2
  fail "DNS: the packages could not be installed; apt-get's words are in $log"
fi
rm -f "$log"
# Not at the next boot either.
if command -v systemctl >/dev/null; then systemctl disable --quiet named 2>/dev/null || true; fi
say "DNS: installed"
