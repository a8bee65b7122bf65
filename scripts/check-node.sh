#!/bin/sh
# Makes sure that the package `node` brought its Node, which its install script does, that npm did not hold that back, and that it runs.
set -eu
wanted=$(sed -n 's/^ *"node": "\([0-9][0-9]*\)\..*/\1/p' package.json)
if [ ! -e node_modules/node/bin/node ]; then
  cat >&2 <<MESSAGE
The package \`node\` should have brought Node $wanted into node_modules, but its install script did not run:
\`npm config get ignore-scripts\` should say false. To allow it this once:
  npm rebuild node --ignore-scripts=false && touch node_modules/.mainstay-installed
MESSAGE
  exit 1
fi
found=$(node_modules/.bin/node --version 2>&1) || true
case $found in
  v"$wanted".*) echo "Node $found is ready" ;;
  *libatomic*)
    echo "Node $wanted, from the package \`node\`, needs libatomic: as root, apt-get install libatomic1 (Debian) or dnf install libatomic (Fedora), then make again" >&2
    exit 1
    ;;
  *)
    echo "The package \`node\` should have brought Node $wanted into node_modules, but node_modules/.bin/node --version says: $found" >&2
    exit 1
    ;;
esac
