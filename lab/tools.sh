#!/bin/bash
# The little that tests and the parts of the lab need and a bare Debian lacks, installed where root may. Elsewhere each says itself what
# it misses.
set -euo pipefail
PART=Tools
. "$(dirname "$0")/processes.sh"
. "$(dirname "$0")/packages.sh"
packages=()
for command in curl openssl; do command -v $command >/dev/null || packages+=($command); done
# The Node that comes as a package is linked with it.
ldconfig -p | grep -q 'libatomic\.so\.1 ' || packages+=(libatomic1)
# Without a Go of the machine's own, Python brings one.
command -v go >/dev/null || python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3-venv)
if [ ${#packages[@]} = 0 ] || [ "$(id -u)" != 0 ] || ! command -v dpkg-query >/dev/null; then exit 0; fi
install_packages "installed" "${packages[*]}"
