#!/bin/bash
# Starts Keystone, Neutron and Octavia on loopback over one MariaDB; what is already up and answers stays as it is. Every start begins
# with the same fresh cloud: made once (a minute), kept in the cache, restored in seconds. Everything lives under $RUN. Environment:
#   RUN      folder of this lab (default: the user's cache); a lab of one's own has one of its own
#   OVN=1    Neutron with OVN and Octavia's OVN provider: another lab, beside the default one
#   KEEP=1   keep the cloud as it was when it was stopped; COLD=1: make the fresh cloud anew; HEARTBEAT=0: no health messages
#   KEYSTONE_PORT NEUTRON_PORT OCTAVIA_PORT   wished ports; one that is taken gives way to the next free one
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/processes.sh"
. "$here/configuration.sh"
. "$here/services.sh"
"$here/install.sh"
[ -z "$(missing_packages)" ] || exit 0 # install.sh has said why; with LAB=required it has failed
needs openssl curl setsid flock awk tar mariadbd mariadb-install-db
[ ${#RUN} -le 80 ] || fail "$RUN is too long a name: sockets go there. Set RUN to a shorter one."
umask 077
mkdir -p "$CACHE" "$RUN"/{log,pids}

# One at a time for each run folder: a second `make lab` waits and then finds it up.
exec 8>"$RUN/.lock"
flock 8
show() { printf 'export OS_CLIENT_CONFIG_FILE=%q\n' "$RUN/clouds.yaml"; }

if [ -r "$RUN/settings" ] && pid_of octavia >/dev/null; then
  . "$RUN/settings"
  if services_ready; then
    say "The OpenStack lab is already up, with Keystone at $KEYSTONE_URL"
    show
    exit 0
  fi
fi
stop_everything

began=$(date +%s%3N)
# Whatever goes wrong from here on, nothing of this start stays behind.
up=0
trap '[ $up = 1 ] || stop_everything' EXIT
trap 'exit 130' INT TERM HUP

lock_ports
wish=0
[ "$OVN" = 0 ] || wish=10
choose KEYSTONE_PORT "${KEYSTONE_PORT:-$((15000 + wish))}"
choose NEUTRON_PORT "${NEUTRON_PORT:-$((19696 + wish))}"
choose OCTAVIA_PORT "${OCTAVIA_PORT:-$((19876 + wish))}"
export PASSWORD=secret REGION=RegionOne
export KEYSTONE_URL=http://127.0.0.1:$KEYSTONE_PORT/v3 NEUTRON_URL=http://127.0.0.1:$NEUTRON_PORT OCTAVIA_URL=http://127.0.0.1:$OCTAVIA_PORT
printf '%s=%q\n' KEYSTONE_URL "$KEYSTONE_URL" NEUTRON_URL "$NEUTRON_URL" OCTAVIA_URL "$OCTAVIA_URL" >"$RUN/settings"
write_configuration
rm -rf "$RUN"/log/*.log "$RUN"/*.sock "$RUN/members-down"
mkdir "$RUN/members-down"

kept=(mysql fernet cred receipts ca mgmt_net_id clouds.yaml)
[ "$OVN" = 0 ] || kept+=(ovn)
# Another version of a package, or of what this folder makes, is another cloud.
edition=$( (dpkg-query -W -f '${Package}=${Version}\n' "${packages[@]}"; cat "$here"/{up,services,configuration}.sh "$here/python/bootstrap.py") | sha256sum | cut -c1-12)
fresh=$CACHE/fresh-$edition-ovn$OVN.tar

[ "${COLD:-0}" = 0 ] || rm -f "$fresh"
if [ "${KEEP:-0}" = 1 ] && [ -f "$RUN/clouds.yaml" ]; then
  say "Keeping the cloud as it was"
elif [ -f "$fresh" ]; then
  (cd "$RUN" && rm -rf "${kept[@]}")
  tar -C "$RUN" -xf "$fresh"
else
  say "Making a fresh cloud: about a minute, once"
  (cd "$RUN" && rm -rf "${kept[@]}")
  make_cloud
  say "the fresh cloud is made ($(seconds))"
  stop_everything 2>/dev/null
  rm -f "$CACHE"/fresh-*-ovn"$OVN".tar
  tar -C "$RUN" -cf "$fresh.new" --exclude='*.sock' --exclude='*.ctl' "${kept[@]}"
  mv "$fresh.new" "$fresh"
fi

start_database
move_catalogue
start_services
wait_for octavia 120 services_ready
up=1
say "The OpenStack lab$([ "$OVN" = 0 ] || echo " with OVN") is up in $(seconds), with Keystone at $KEYSTONE_URL"
show
