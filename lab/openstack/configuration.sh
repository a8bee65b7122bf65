# Sourced by up.sh: the configuration files of the services, under $RUN/conf. Ports and addresses stand in variables there.

owner=root # of the database, which asks nobody for a password
database() { echo "mysql+pymysql://$owner@localhost/$1?unix_socket=$RUN/mysql.sock&charset=utf8mb4"; }

service_user() { # name
  cat <<CONFIG
auth_type = password
auth_url = $KEYSTONE_URL
username = $1
password = $PASSWORD
project_name = service
user_domain_name = Default
project_domain_name = Default
region_name = $REGION
CONFIG
}

write_configuration() {
  mkdir -p "$RUN"/{conf,neutron/lock}
  keystone_configuration >"$RUN/conf/keystone.conf"
  neutron_configuration >"$RUN/conf/neutron.conf"
  octavia_configuration >"$RUN/conf/octavia.conf"
}

keystone_configuration() {
  cat <<CONFIG
[database]
connection = $(database keystone)
[token]
provider = fernet
[fernet_tokens]
key_repository = $RUN/fernet
[fernet_receipts]
key_repository = $RUN/receipts
[credential]
key_repository = $RUN/cred
[identity]
password_hash_rounds = 4
CONFIG
}

# Without agents and message bus. ML2/OVN insists on a worker process of its own, and takes no tags with a new port: most clouds do not.
neutron_configuration() {
  local mechanism=logger l3=router tenant=vxlan extensions=port_security,qos,tag_ports_during_bulk_creation
  if [ "$OVN" = 1 ]; then mechanism=ovn l3=ovn-router tenant=geneve extensions=port_security,qos; fi
  cat <<CONFIG
[DEFAULT]
core_plugin = ml2
service_plugins = $l3,qos
auth_strategy = keystone
transport_url = fake:///
bind_host = 127.0.0.1
bind_port = $NEUTRON_PORT
api_workers = $OVN
rpc_workers = 0
rpc_state_report_workers = 0
api_paste_config = $here/neutron-api-paste.ini
state_path = $RUN/neutron
notify_nova_on_port_status_changes = false
notify_nova_on_port_data_changes = false
dhcp_agent_notification = false
[oslo_concurrency]
lock_path = $RUN/neutron/lock
[database]
connection = $(database neutron)
[keystone_authtoken]
www_authenticate_uri = $KEYSTONE_URL
$(service_user neutron)
[ml2]
type_drivers = flat,vlan,vxlan,geneve,local
tenant_network_types = $tenant
mechanism_drivers = $mechanism
extension_drivers = $extensions
[ml2_type_flat]
flat_networks = *
[ml2_type_vxlan]
vni_ranges = 1:2000
[ml2_type_geneve]
vni_ranges = 1:2000
max_header_size = 38
[securitygroup]
enable_security_group = true
$(ovn_databases)
ovn_metadata_enabled = false
CONFIG
}

ovn_databases() {
  cat <<CONFIG
[ovn]
ovn_nb_connection = unix:$RUN/ovn/nb.sock
ovn_sb_connection = unix:$RUN/ovn/sb.sock
CONFIG
}

# Amphorae are no-ops on real Neutron ports; a balancer of provider noop_driver stays PENDING_CREATE for ever.
octavia_configuration() {
  local default=amphora providers="amphora: The Octavia Amphora driver., octavia: Alias of amphora., noop_driver: Never leaves PENDING." agents=
  if [ "$OVN" = 1 ]; then default=ovn providers+=", ovn: Octavia OVN driver." agents=ovn; fi
  cat <<CONFIG
[DEFAULT]
host = lab
transport_url = fake:///
[api_settings]
auth_strategy = keystone
api_base_uri = $OCTAVIA_URL
default_provider_driver = $default
enabled_provider_drivers = $providers
[database]
connection = $(database octavia)
[keystone_authtoken]
www_authenticate_uri = $KEYSTONE_URL
$(service_user octavia)
[service_auth]
$(service_user octavia)
[neutron]
region_name = $REGION
[certificates]
cert_generator = local_cert_generator
ca_certificate = $RUN/ca/ca.pem
ca_private_key = $RUN/ca/ca.key
ca_private_key_passphrase = foobar
server_certs_key_passphrase = insecure-key-do-not-use-this-key
[haproxy_amphora]
client_cert = $RUN/ca/ca.pem
server_ca = $RUN/ca/ca.pem
[driver_agent]
status_socket_path = $RUN/status.sock
stats_socket_path = $RUN/stats.sock
get_socket_path = $RUN/get.sock
enabled_provider_agents = $agents
[health_manager]
heartbeat_key = insecure
[controller_worker]
workers = 1
loadbalancer_topology = SINGLE
amphora_driver = amphora_noop_driver
compute_driver = mainstay_lab_compute
network_driver = allowed_address_pairs_driver
image_driver = image_noop_driver
volume_driver = volume_noop_driver
amp_flavor_id = 1
amp_image_tag = amphora
client_ca = $RUN/ca/ca.pem
[networking]
retry_interval = 1
$(ovn_databases)
CONFIG
}
