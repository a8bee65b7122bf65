# Sourced by the scripts here: where the OpenStack lab lives and what it consists of. OVN=1 is another lab beside the default one:
# Neutron with OVN, and Octavia's OVN provider.
PART=OpenStack
OVN=${OVN:-0}
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/mainstay/openstack
if [ "$OVN" = 1 ]; then
  RUN=${RUN:-${MAINSTAY_LAB_OPENSTACK_OVN:-$CACHE/run-ovn}}
else
  RUN=${RUN:-${MAINSTAY_LAB_OPENSTACK:-$CACHE/run}}
fi
. "$(dirname "${BASH_SOURCE[0]}")/../processes.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../packages.sh"
# In the order in which they are stopped. A lab without OVN has only some of them.
everything=(driver-agent octavia neutron keystone northd ovn-nb ovn-sb mariadb)
stop_everything() {
  local name
  for name in "${everything[@]}"; do
    [ -e "$RUN/pids/$name" ] || continue
    # The database takes a while to close its files; the driver agent would wait for its children for ever.
    if [ "$name" = mariadb ]; then PATIENCE=60 stop "$name"; else stop "$name"; fi
  done
}

packages=(python3-keystone python3-neutron python3-octavia python3-openstackclient python3-octaviaclient python3-waitress python3-openstacksdk python3-pymysql
  mariadb-server-core mariadb-client-core ovn-central python3-ovn-octavia-provider)
