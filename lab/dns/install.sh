#!/bin/bash
# Installs Debian's BIND and its tools, within a minute. Nothing of it is started, or starts by itself later.
set -euo pipefail
. "$(dirname "$0")/processes.sh"
install_packages "BIND is installed" "Debian's BIND" named
