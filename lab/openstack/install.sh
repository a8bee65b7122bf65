#!/bin/bash
# Installs what the OpenStack lab runs, from Debian's packages (tried on Debian 12): libraries and server programs, three minutes.
# Nothing of it is started, or starts by itself later.
set -euo pipefail
. "$(dirname "$0")/processes.sh"
install_packages "its packages are installed" "Debian's packages (about three minutes)" ovn-central ovn-northd openvswitch-switch
