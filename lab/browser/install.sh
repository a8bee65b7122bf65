#!/bin/bash
# The browser that the dashboard's tests drive: Debian's Chromium, installed once. CHROMIUM names another one.
set -euo pipefail
browser=${CHROMIUM:-/usr/bin/chromium}
if [ -x "$browser" ]; then
  echo "browser: $browser"
  exit 0
fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
  echo "browser: none at $browser; install Chromium, or set CHROMIUM to one (its tests are skipped without)" >&2
  [ "${LAB:-}" != required ]
  exit
fi
echo "browser: installing Debian's chromium (a minute or two)"
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
echo "browser: $browser"
