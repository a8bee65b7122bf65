#!/bin/sh
# Makes sure that the package `node` brought its Node, which its install script does, and that npm did not hold that back.
set -eu
wanted=$(sed -n 's/^ *"node": "\([0-9][0-9]*\)\..*/\1/p' package.json)
found=$(node_modules/.bin/node --version 2>/dev/null || echo none)
case $found in
  v"$wanted".*) echo "Node $found is ready" ;;
  *)
    cat >&2 <<MESSAGE
The package \`node\` should have brought Node $wanted into node_modules, but there is: $found
Its install script did not run: \`npm config get ignore-scripts\` should say false. To allow it this once:
  npm rebuild node --ignore-scripts=false && touch node_modules/.mainstay-installed
MESSAGE
    exit 1
    ;;
esac
