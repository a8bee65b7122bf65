// Changes of floating IPs over HTTP. One that somebody has changed since it was seen is left alone.

import type { FloatingIp, FloatingIpSeen } from "../../core/openstack/neutron-objects.ts";
import type { Neutron } from "../../ports/neutron.ts";
import type { CloudCallOptions } from "../../ports/openstack.ts";
import type { Subject } from "./login/subject.ts";
import { type KnownAliases, seenWrites } from "./neutron-if-match.ts";
import type { ProjectCalls } from "./project-calls.ts";
import { floatingIp } from "./wire/decode-neutron.ts";
import { wrapped } from "./wire/wire.ts";

const collection = "/v2.0/floatingips";
const schema = wrapped("floatingip", floatingIp);

type FloatingIpWrites = Pick<Neutron, "createFloatingIp" | "updateFloatingIp" | "deleteFloatingIp">;

export function floatingIpWrites(calls: ProjectCalls, aliases: KnownAliases): FloatingIpWrites {
  const get = (id: string, options: CloudCallOptions) =>
    calls.read({ subject: about("get", id), method: "GET", path: pathOf(id) }, schema, options);
  const writes = seenWrites(calls, aliases, { schema, get, isSame });
  return {
    createFloatingIp: ({ floatingNetworkId, portId, description, address }, options) => {
      const fields = { floating_network_id: floatingNetworkId, port_id: portId, description };
      const body = { floatingip: { ...fields, floating_ip_address: address } };
      const subject = about("create", address ?? description);
      return calls.write({ subject, method: "POST", path: collection, body }, schema, options);
    },
    async updateFloatingIp(id, { portId, description }, options = {}) {
      // Neutron detaches the floating IP when an update has no fields.
      if (portId === undefined && description === undefined) return await get(id, options);
      const body = { floatingip: { port_id: portId, description } };
      return await writes.change(id, { subject: about("update", id), method: "PUT", path: pathOf(id), body }, options);
    },
    deleteFloatingIp: (id, options = {}) =>
      writes.remove(id, { subject: about("delete", id), method: "DELETE", path: pathOf(id) }, options),
  };
}

function isSame({ portId, revisionNumber }: FloatingIp, seen: FloatingIpSeen): boolean {
  return portId === seen.portId && revisionNumber === seen.revisionNumber;
}

function about(verb: Subject["verb"], name: string): Subject {
  return { service: "neutron", verb, kind: "floating IP", name };
}

function pathOf(id: string): string {
  return `${collection}/${encodeURIComponent(id)}`;
}
