# Sourced by the scripts here: where the DNS lab lives and what it consists of.
PART=DNS
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/mainstay/dns
RUN=${RUN:-${MAINSTAY_LAB_DNS:-$CACHE/run}}
. "$(dirname "${BASH_SOURCE[0]}")/../processes.sh"

# The server, and nsupdate and dig beside it.
packages=(bind9 bind9-dnsutils)
missing_packages() {
  local name
  for name in "${packages[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || echo "$name"
  done
}
