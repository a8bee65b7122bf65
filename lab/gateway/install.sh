#!/bin/bash
# Installs what a gateway runs, from Debian's packages: nftables, keepalived, conntrack and ip, within half a minute. Nothing of it is started,
# or starts by itself later: tests run all of it in network namespaces of their own.
set -euo pipefail
PART=Gateway
. "$(dirname "$0")/../processes.sh"
. "$(dirname "$0")/../packages.sh"
packages=(nftables keepalived conntrack iproute2)
install_packages "nftables, keepalived and conntrack are installed" "Debian's nftables, keepalived and conntrack" nftables keepalived
