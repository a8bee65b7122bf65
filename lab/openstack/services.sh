# Sourced by up.sh: how each service is started, how the first cloud is made, how one is moved to other ports.
python=/usr/bin/python3
# Nothing is written into the repository.
export PYTHONPATH=$here/python PYTHONDONTWRITEBYTECODE=1 OS_KEYSTONE_CONFIG_DIR=$RUN/conf

sql() { mariadb --no-defaults -uroot -S "$RUN/mysql.sock" "$@"; }
answers() { curl -s -o /dev/null --max-time 5 "$1"; }
services_ready() { answers "$KEYSTONE_URL" && answers "$NEUTRON_URL/" && answers "$OCTAVIA_URL/"; }

# In memory where possible: nothing here has to survive a power cut.
start_database() {
  start mariadb mariadbd --no-defaults --user="$(id -un)" --datadir="$RUN/mysql" --socket="$RUN/mysql.sock" --skip-networking \
    --pid-file="$RUN/mysql/pid" --skip-log-bin --innodb-flush-log-at-trx-commit=0 --innodb-buffer-pool-size=64M \
    --innodb-log-file-size=16M --innodb-doublewrite=0 --performance-schema=off --max-connections=400 \
    --character-set-server=utf8mb3 --skip-name-resolve
  wait_for mariadb 60 sql -e 'select 1'
}

start_services() {
  if [ "$OVN" = 1 ]; then start_ovn; fi
  start keystone $python "$here/python/serve_keystone.py" "$KEYSTONE_PORT"
  start neutron $python "$here/python/serve_neutron.py" --config-file "$RUN/conf/neutron.conf"
  start octavia $python "$here/python/serve_octavia.py" "$OCTAVIA_PORT" "$RUN" --config-file "$RUN/conf/octavia.conf"
  if [ "$OVN" = 1 ]; then
    start driver-agent $python "$here/python/serve_driver_agent.py" "$RUN" --config-file "$RUN/conf/octavia.conf"
  fi
}

start_ovn() {
  local part nb=unix:$RUN/ovn/nb.sock sb=unix:$RUN/ovn/sb.sock
  mkdir -p "$RUN/ovn"
  for part in nb sb; do
    [ -f "$RUN/ovn/$part.db" ] || ovsdb-tool create "$RUN/ovn/$part.db" "/usr/share/ovn/ovn-$part.ovsschema"
    start "ovn-$part" ovsdb-server --remote="punix:$RUN/ovn/$part.sock" --unixctl="$RUN/ovn/$part.ctl" -vconsole:warn "$RUN/ovn/$part.db"
    wait_for "ovn-$part" 10 test -S "$RUN/ovn/$part.sock"
  done
  ovn-nbctl --db="$nb" init
  ovn-sbctl --db="$sb" init
  start northd ovn-northd --ovnnb-db="$nb" --ovnsb-db="$sb" --unixctl="$RUN/ovn/northd.ctl" -vconsole:warn
}

# Everything that is the same for every start: schemas, users, catalogue, networks, zones.
make_cloud() {
  mkdir -p "$RUN"/{fernet,cred,receipts,ca}
  openssl req -x509 -newkey rsa:2048 -days 3650 -subj /CN=mainstay-lab -passout pass:foobar \
    -keyout "$RUN/ca/ca.key" -out "$RUN/ca/ca.pem" 2>/dev/null
  mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$RUN/mysql" --auth-root-authentication-method=normal \
    --skip-test-db >"$RUN/log/install-database.log" 2>&1
  start_database
  make_schemas
  say "schemas are made ($(seconds))"
  local manage=($python /usr/bin/keystone-manage --config-file "$RUN/conf/keystone.conf")
  logged keystone-setup "${manage[@]}" fernet_setup --keystone-user "$(id -un)" --keystone-group "$(id -gn)"
  logged keystone-setup "${manage[@]}" bootstrap --bootstrap-password "$PASSWORD" --bootstrap-region-id "$REGION" \
    --bootstrap-public-url "$KEYSTONE_URL" --bootstrap-internal-url "$KEYSTONE_URL" --bootstrap-admin-url "$KEYSTONE_URL"
  start_services
  wait_for keystone 60 answers "$KEYSTONE_URL"
  logged bootstrap $python "$here/python/bootstrap.py" identity "$RUN"
  wait_for neutron 120 answers "$NEUTRON_URL/"
  wait_for octavia 120 answers "$OCTAVIA_URL/"
  logged bootstrap $python "$here/python/bootstrap.py" resources "$RUN"
}

make_schemas() {
  local name
  for name in keystone neutron octavia; do echo "create database $name character set utf8mb3;"; done | sql
  local jobs=()
  logged keystone-schema $python /usr/bin/keystone-manage --config-file "$RUN/conf/keystone.conf" db_sync &
  jobs+=($!)
  logged neutron-schema $python -c 'import sys; from neutron.db.migration.cli import main; sys.exit(main())' \
    --config-file "$RUN/conf/neutron.conf" upgrade heads &
  jobs+=($!)
  logged octavia-schema octavia-db-manage --config-file "$RUN/conf/octavia.conf" upgrade head &
  jobs+=($!)
  for name in "${jobs[@]}"; do wait "$name" || fail "a schema could not be made; logs are in $RUN/log"; done
}

logged() { # log command...
  local log=$RUN/log/$1.log
  shift
  "$@" >>"$log" 2>&1 8>&- 9>&- || { tail -20 "$log" >&2; fail "${1##*/} failed; its log is $log"; }
}

# A cloud that was made on other ports says so in its catalogue and its clouds.yaml.
move_catalogue() {
  local kind url
  while read -r kind url; do
    sql keystone -e "update endpoint, service set endpoint.url = '$url' where endpoint.service_id = service.id and service.type = '$kind'"
  done <<URLS
identity $KEYSTONE_URL
network $NEUTRON_URL
load-balancer $OCTAVIA_URL
URLS
  sed -i -E "s|(\"auth_url\": \")[^\"]*|\1$KEYSTONE_URL|" "$RUN/clouds.yaml"
}
