# Sourced by the scripts here: where the DNS lab lives and what it consists of.
PART=DNS
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/mainstay/dns
RUN=${RUN:-${MAINSTAY_LAB_DNS:-$CACHE/run}}
. "$(dirname "${BASH_SOURCE[0]}")/../processes.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../packages.sh"

# The server, and nsupdate and dig beside it.
packages=(bind9 bind9-dnsutils)
