"""A compute driver for Octavia where there is no Nova: no machine, but real Neutron ports.

Octavia's own no-op driver answers None when a network is attached, which its Neutron driver does not survive. This one does to
Neutron what Nova would: it sets device_id on ports that it is given, and makes and removes those that it is asked for.
"""
import types

from octavia.common import clients
from octavia.compute.drivers.noop_driver import driver as noop
from oslo_config import cfg
from oslo_utils import uuidutils

OWNER = "compute:nova"


class PortOnlyCompute(noop.NoopComputeDriver):
    @property
    def _neutron(self):
        settings = cfg.CONF.neutron
        return clients.NeutronAuth.get_neutron_client(
            endpoint=settings.endpoint,
            region=settings.region_name,
            endpoint_type=settings.endpoint_type,
            service_name=settings.service_name,
        )

    def attach_network_or_port(self, compute_id, network_id=None, ip_address=None, port_id=None):
        if port_id:
            port = self._neutron.update_port(port_id, {"port": {"device_id": compute_id}})["port"]
        else:
            wanted = {"network_id": network_id, "device_id": compute_id, "device_owner": OWNER, "admin_state_up": True}
            if ip_address:
                wanted["fixed_ips"] = [{"ip_address": ip_address}]
            port = self._neutron.create_port({"port": wanted})["port"]
        return types.SimpleNamespace(net_id=port["network_id"], port_id=port["id"], fixed_ips=port["fixed_ips"])

    def detach_port(self, compute_id, port_id):
        self._release(self._neutron.show_port(port_id)["port"])

    def delete(self, compute_id):
        for port in self._neutron.list_ports(device_id=compute_id)["ports"]:
            self._release(port)

    def _release(self, port):
        if port["device_owner"] == OWNER:
            self._neutron.delete_port(port["id"])
        else:
            self._neutron.update_port(port["id"], {"port": {"device_id": ""}})

    def create_server_group(self, name, policy):
        return types.SimpleNamespace(id=uuidutils.generate_uuid())
