#!/bin/bash
# Gets promtool, which the tests of alerts run, out of Debian's package prometheus. The package itself is not installed: nothing else of it
# is needed. PROMTOOL names another one.
set -euo pipefail
PART=Prometheus
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/mainstay/prometheus
. "$(dirname "$0")/../processes.sh"
promtool=${PROMTOOL:-$CACHE/promtool}
if [ -x "$promtool" ]; then
  say "$PART: $promtool is there"
  exit 0
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
  say "$PART: no promtool at $promtool, and this is no Debian; set PROMTOOL to one (its tests are skipped without)"
  [ "${LAB:-}" != required ]
  exit
fi
say "$PART: getting promtool from Debian's package prometheus"
mkdir -p "$CACHE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cd "$work"
if [ "$(id -u)" = 0 ]; then apt-get update -qq; fi
apt-get download -qq prometheus 2>/dev/null
dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool
mv usr/bin/promtool "$CACHE/promtool"
say "$PART: $CACHE/promtool"
