// The calls about ports straight on the fake's state, as the driver makes them: it asks no Neutron for what that one does not list, and
// compares a port itself where Neutron cannot.

import type { CreatePort, PortSeen } from "../../../../core/openstack/neutron-objects.ts";
import { isSamePort } from "../../../../core/openstack/port-seen.ts";
import { present } from "../../../../core/present.ts";
import type { Neutron } from "../../../../ports/neutron.ts";
import type { Cloud } from "../cloud.ts";
import type { ServiceCalls } from "../cloud-session.ts";
import type { Caller } from "../keystone/directory.ts";
import { checkKnown } from "../strict.ts";
import { unlessGone } from "../unless-gone.ts";
import { comparesRevisions, hasExtension } from "./extensions.ts";
import { listPorts } from "./networks.ts";
import * as ports from "./ports.ts";
import { changed } from "./revisions.ts";
import { visiblePort } from "./visible.ts";

const known = {
  query: ["networkId", "ids", "deviceIds", "descriptions", "deviceOwner", "tags"],
  create: ["networkId", "subnetId", "address", "name", "description", "deviceId", "tags", "hasPortSecurity"],
  update: ["name", "description", "allowedAddressPairs"],
};

export type PortCalls = "getPort" | "listPorts" | "createPort" | "updatePort" | "deletePort";

export function portCalls({ read, write }: ServiceCalls): Pick<Neutron, PortCalls> {
  return {
    getPort: (id, options) =>
      read("get port", options, (...who) => ports.portView(who[0], visiblePort(...who, id)), id),
    listPorts: (query, options) =>
      read("list ports", options, (...who) => {
        checkKnown("query", query, known.query);
        return listPorts(...who, query);
      }),
    createPort: (wanted, options) =>
      write("create port", options, (...who) => {
        checkKnown("port", wanted, known.create);
        return ports.portView(who[0], ports.createPort(...who, askable(who[0], wanted)));
      }),
    updatePort: (id, change, options) =>
      write(
        "update port",
        options,
        (...who) => {
          checkKnown("port", change, known.update);
          // The driver asks for the port instead: this would count as a change.
          if (Object.keys(change).length === 0) return ports.portView(who[0], visiblePort(...who, id));
          const revision = compared(...who, id, options?.seen);
          return ports.portView(who[0], ports.updatePort(...who, id, change, revision));
        },
        id,
      ),
    deletePort: (id, options) => {
      const removal = write(
        "delete port",
        options,
        (...who) => ports.deletePort(...who, id, compared(...who, id, options?.seen)),
        id,
      );
      return unlessGone(removal);
    },
  };
}

/** Without what the driver does not ask of a Neutron that does not list it. */
function askable(cloud: Cloud, { hasPortSecurity, ...wanted }: CreatePort): CreatePort {
  return {
    ...wanted,
    tags: hasExtension(cloud, "tag-ports-during-bulk-creation") ? wanted.tags : [],
    ...(hasExtension(cloud, "port-security") ? present({ hasPortSecurity }) : {}),
  };
}

/** The revision that the driver has Neutron compare; where it cannot, the driver compares the port itself. */
function compared(cloud: Cloud, caller: Caller, id: string, seen: PortSeen | undefined): number | undefined {
  if (seen === undefined) return undefined;
  if (comparesRevisions(cloud) && seen.revisionNumber !== undefined) return seen.revisionNumber;
  const row = visiblePort(cloud, caller, id);
  if (!isSamePort(ports.portView(cloud, row), seen)) changed(seen.revisionNumber, row.revisionNumber);
  return undefined;
}
