// The Neutron port straight on the fake's state.

import type { FloatingIp } from "../../../../core/openstack/neutron-objects.ts";
import type { Neutron } from "../../../../ports/neutron.ts";
import type { Cloud } from "../cloud.ts";
import type { ServiceCalls } from "../cloud-session.ts";
import { checkKnown } from "../strict.ts";
import { unlessGone } from "../unless-gone.ts";
import { comparesRevisions, extensionsOf } from "./extensions.ts";
import { createFloatingIp, deleteFloatingIp, listFloatingIps, updateFloatingIp } from "./floating-ips.ts";
import * as networks from "./networks.ts";
import { type PortCalls, portCalls } from "./port-calls.ts";
import { replaceTags } from "./tags.ts";

const tagFilter = ["tags", "tagsAny", "notTags", "notTagsAny"];
const known = {
  networks: [...tagFilter, "name", "description", "projectId", "external"],
  subnets: [
    ...tagFilter,
    "name",
    "description",
    "projectId",
    "networkId",
    "ipVersion",
    "gatewayIp",
    "cidr",
    "ipv6AddressMode",
    "ipv6RaMode",
  ],
  floatingIps: ["portIds", "descriptions", "addresses", "tags"],
  createFloatingIp: ["floatingNetworkId", "portId", "description", "address"],
  updateFloatingIp: ["portId", "description"],
};

export function neutronPort(calls: ServiceCalls): Neutron {
  return { ...networkCalls(calls), ...portCalls(calls), ...floatingIpCalls(calls) };
}

type FloatingIpCalls = "listFloatingIps" | "createFloatingIp" | "updateFloatingIp" | "deleteFloatingIp" | "replaceTags";

function networkCalls({ read }: ServiceCalls): Omit<Neutron, PortCalls | FloatingIpCalls> {
  return {
    extensions: (options) => read("list extensions", options, (cloud) => extensionsOf(cloud)),
    getNetwork: (id, options) => read("get network", options, (...who) => networks.getNetwork(...who, id), id),
    listNetworks: (query, options) =>
      read("list networks", options, (...who) => {
        checkKnown("query", query, known.networks);
        return networks.listNetworks(...who, query);
      }),
    getSubnet: (id, options) => read("get subnet", options, (...who) => networks.getSubnet(...who, id), id),
    listSubnets: (query, options) =>
      read("list subnets", options, (...who) => {
        checkKnown("query", query, known.subnets);
        return networks.listSubnets(...who, query);
      }),
    getRouter: (id, options) => read("get router", options, (...who) => networks.getRouter(...who, id), id),
    listRouters: ({ ids }, options) => read("list routers", options, (...who) => networks.listRouters(...who, ids)),
  };
}

function floatingIpCalls({ read, write }: ServiceCalls): Pick<Neutron, FloatingIpCalls> {
  return {
    listFloatingIps: (query, options) =>
      read("list floating ips", options, (...who) => {
        checkKnown("query", query, known.floatingIps);
        return listFloatingIps(...who, query).map((row) => shown(who[0], row));
      }),
    createFloatingIp: (wanted, options) =>
      write("create floating ip", options, (...who) => {
        checkKnown("floatingip", wanted, known.createFloatingIp);
        return shown(who[0], createFloatingIp(...who, wanted));
      }),
    updateFloatingIp: (id, change, options) =>
      write(
        "update floating ip",
        options,
        (...who) => {
          checkKnown("floatingip", change, known.updateFloatingIp);
          return shown(who[0], updateFloatingIp(...who, id, change, options?.seen));
        },
        id,
      ),
    deleteFloatingIp: (id, options) =>
      unlessGone(write("delete floating ip", options, (...who) => deleteFloatingIp(...who, id, options?.seen), id)),
    replaceTags: (resource, id, tags, options) =>
      write("replace tags", options, (...who) => replaceTags(...who, resource, id, tags), id),
  };
}

/** As the driver decodes it: without a count where there is none on the wire. */
function shown(cloud: Cloud, row: FloatingIp): FloatingIp {
  if (comparesRevisions(cloud)) return row;
  const { revisionNumber: _uncounted, ...rest } = row;
  return rest;
}
