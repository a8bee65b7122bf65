#!/bin/bash
# Starts BIND on loopback, authoritative for one zone that takes updates (RFC 2136) signed with one key; what is already up and answers
# stays as it is. Every start begins with an empty zone. Everything lives under $RUN. Environment:
#   RUN    folder of this lab (default: the user's cache); a lab of one's own has one of its own
#   ZONE   the zone (default: lab.test)
#   PORT   wished port; one that is taken gives way to the next free one
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/processes.sh"
"$here/install.sh"
[ -z "$(missing_packages)" ] || exit 0 # install.sh has said why; with LAB=required it has failed
# Debian has the server where only root looks for programs.
PATH=$PATH:/usr/sbin
needs named tsig-keygen nsupdate dig setsid flock awk
umask 077
mkdir -p "$CACHE" "$RUN"/{log,pids,data}

# One at a time for each run folder: a second `make lab` waits and then finds it up.
exec 8>"$RUN/.lock"
flock 8

ready() { dig @127.0.0.1 -p "$DNS_PORT" +time=2 +tries=1 +noall +answer SOA "$DNS_ZONE" | grep -q SOA; }
if [ -r "$RUN/settings" ] && pid_of named >/dev/null; then
  . "$RUN/settings"
  if ready; then
    say "The DNS lab is already up, at 127.0.0.1 port $DNS_PORT"
    exit 0
  fi
fi
stop named

began=$(date +%s%3N)
# Whatever goes wrong from here on, nothing of this start stays behind.
up=0
trap '[ $up = 1 ] || stop named' EXIT
trap 'exit 130' INT TERM HUP

lock_ports
choose DNS_PORT "${PORT:-15353}"
DNS_ZONE=${ZONE:-lab.test}
[ -r "$RUN/key" ] || tsig-keygen -a hmac-sha256 mainstay-lab >"$RUN/key"
printf '%s=%q\n' DNS_PORT "$DNS_PORT" DNS_ZONE "$DNS_ZONE" >"$RUN/settings"
rm -f "$RUN"/data/* "$RUN"/log/*.log
cat >"$RUN/data/zone" <<END
\$TTL 300
@ IN SOA ns.$DNS_ZONE. hostmaster.$DNS_ZONE. 1 3600 600 86400 1
@ IN NS ns.$DNS_ZONE.
ns IN A 127.0.0.1
END
cat >"$RUN/named.conf" <<END
include "$RUN/key";
controls { };
options {
  directory "$RUN/data";
  pid-file none;
  session-keyfile none;
  lock-file none;
  listen-on port $DNS_PORT { 127.0.0.1; };
  listen-on-v6 { none; };
  recursion no;
  allow-query { 127.0.0.0/8; };
  allow-transfer { key mainstay-lab; };
  notify no;
  minimal-responses yes;
};
zone "$DNS_ZONE" {
  type primary;
  file "zone";
  allow-update { key mainstay-lab; };
};
END
# Threads and memory of a small server: it serves tests.
start named named -g -n 1 -c "$RUN/named.conf"
wait_for named 30 ready
up=1
say "The DNS lab is up in $(seconds), at 127.0.0.1 port $DNS_PORT, for the zone $DNS_ZONE"
