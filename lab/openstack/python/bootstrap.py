"""What every lab has before a test begins. `identity` needs Keystone alone; `resources` needs Neutron and Octavia, too.

Arguments: stage, run folder. Environment: KEYSTONE_URL, NEUTRON_URL, OCTAVIA_URL, PASSWORD, REGION.
"""
import json
import os
import sys

import openstack

KEYSTONE, PASSWORD, REGION = (os.environ[name] for name in ("KEYSTONE_URL", "PASSWORD", "REGION"))
stage, run = sys.argv[1:]
# user: project and roles. An observer may look and not touch.
PEOPLE = {
    "demo": ("demo", ["member", "load-balancer_member"]),
    "observer": ("demo", ["reader", "load-balancer_observer"]),
    "other": ("other", ["member", "load-balancer_member"]),
}
# network: its subnets, and whether the router has a leg in them.
NETWORKS = {
    "tenant": ({"tenant-1": "10.0.1.0/24", "tenant-2": "10.0.2.0/24", "tenant-3": "10.0.3.0/24"}, True),
    "nodes": ({"nodes-1": "10.1.1.0/24"}, True),
    "isolated": ({"isolated-1": "10.9.1.0/24"}, False),
    "tenant6": ({"tenant6-1": "fd00:10:1::/64"}, True),
}


def connect(user, project):
    return openstack.connect(
        auth_url=KEYSTONE,
        username=user,
        password=PASSWORD,
        project_name=project,
        user_domain_name="Default",
        project_domain_name="Default",
        region_name=REGION,
        load_yaml_config=False,
        load_envvars=False,
    )


def identity():
    keystone = connect("admin", "admin").identity
    for name, kind, url in (
        ("neutron", "network", os.environ["NEUTRON_URL"]),
        ("octavia", "load-balancer", os.environ["OCTAVIA_URL"]),
    ):
        service = keystone.create_service(name=name, type=kind)
        for interface in ("public", "internal", "admin"):
            keystone.create_endpoint(service_id=service.id, interface=interface, url=url, region_id=REGION)
    roles = {role.name: role for role in keystone.roles()}
    for part in ("member", "observer", "admin", "quota_admin", "global_observer"):
        roles["load-balancer_" + part] = keystone.create_role(name="load-balancer_" + part)
    projects = {name: keystone.create_project(name=name, domain_id="default") for name in ("service", "demo", "other")}
    users = {}
    for name in ("neutron", "octavia", *PEOPLE):
        users[name] = keystone.create_user(name=name, password=PASSWORD, domain_id="default")
    for name in ("neutron", "octavia"):
        for role in ("admin", "service"):
            if role in roles:
                keystone.assign_project_role_to_user(projects["service"], users[name], roles[role])
    for name, (project, wanted) in PEOPLE.items():
        for role in wanted:
            keystone.assign_project_role_to_user(projects[project], users[name], roles[role])
    keystone.assign_project_role_to_user(projects["demo"], keystone.find_user("admin"), roles["admin"])
    demo = connect("demo", "demo").identity
    write_clouds(demo.create_application_credential(user=users["demo"].id, name="mainstay-lab"))


def write_clouds(credential):
    def by_password(user, project):
        auth = dict(
            auth_url=KEYSTONE,
            username=user,
            password=PASSWORD,
            project_name=project,
            user_domain_name="Default",
            project_domain_name="Default",
        )
        return dict(auth=auth, region_name=REGION, identity_api_version=3)

    clouds = {name: by_password(name, project) for name, (project, _) in PEOPLE.items()}
    clouds["admin"] = by_password("admin", "admin")
    clouds["admin-demo"] = by_password("admin", "demo")
    clouds["demo-appcred"] = dict(
        auth_type="v3applicationcredential",
        auth=dict(
            auth_url=KEYSTONE,
            application_credential_id=credential.id,
            application_credential_secret=credential.secret,
        ),
        region_name=REGION,
    )
    with open(run + "/clouds.yaml", "w") as file:
        json.dump({"clouds": clouds}, file, indent=1)  # JSON is YAML


def resources():
    admin, demo = connect("admin", "admin"), connect("demo", "demo")
    # Octavia's security groups and ports live in the project `service`, whose default quota of 10 turns balancers to ERROR.
    service = admin.identity.find_project("service")
    admin.network.update_quota(service.id, security_groups=-1, security_group_rules=-1, ports=-1)
    for project in ("demo", "other"):
        found = admin.identity.find_project(project)
        admin.network.update_quota(found.id, ports=-1, floating_ips=100)
    management = admin.network.create_network(name="lb-mgmt-net")
    admin.network.create_subnet(network_id=management.id, name="lb-mgmt", ip_version=4, cidr="192.168.252.0/22")
    with open(run + "/mgmt_net_id.new", "w") as file:
        file.write(management.id)
    os.rename(run + "/mgmt_net_id.new", run + "/mgmt_net_id")
    external = admin.network.create_network(
        name="public",
        is_router_external=True,
        provider_network_type="flat",
        provider_physical_network="physext",
    )
    admin.network.create_subnet(
        network_id=external.id,
        name="public-v4",
        ip_version=4,
        cidr="203.0.113.0/24",
        gateway_ip="203.0.113.1",
        is_dhcp_enabled=False,
        allocation_pools=[dict(start="203.0.113.10", end="203.0.113.250")],
    )
    router = demo.network.create_router(name="r1", external_gateway_info={"network_id": external.id})
    for name, (subnets, routed) in NETWORKS.items():
        network = demo.network.create_network(name=name)
        for subnet, cidr in subnets.items():
            made = demo.network.create_subnet(
                network_id=network.id, name=subnet, ip_version=6 if ":" in cidr else 4, cidr=cidr
            )
            if routed:
                demo.network.add_interface_to_router(router, subnet_id=made.id)
    zones_and_flavor(admin.load_balancer)


def zones_and_flavor(octavia):
    profile = octavia.create_flavor_profile(
        name="single", provider_name="amphora", flavor_data=json.dumps({"loadbalancer_topology": "SINGLE"})
    )
    octavia.create_flavor(name="small", flavor_profile_id=profile.id)
    for zone in ("az1", "az2", "az3"):
        profile = octavia.create_availability_zone_profile(
            name=zone + "-profile",
            provider_name="amphora",
            availability_zone_data=json.dumps({"compute_zone": zone}),
        )
        octavia.create_availability_zone(name=zone, availability_zone_profile_id=profile.id)


{"identity": identity, "resources": resources}[stage]()
