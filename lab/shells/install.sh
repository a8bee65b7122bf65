#!/bin/bash
# Installs the shells whose completion is tested beside bash, from Debian's packages: zsh and fish, within half a minute. Nobody's login shell
# changes.
set -euo pipefail
PART=Shells
. "$(dirname "$0")/../processes.sh"
. "$(dirname "$0")/../packages.sh"
packages=(zsh fish)
install_packages "zsh and fish are installed" "Debian's zsh and fish"
