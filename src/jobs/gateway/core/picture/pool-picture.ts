// How a pool works, as a picture: clients, the addresses they use, the gateways that carry them, the Services behind, and their endpoints. It
// is built from the pool's status and what the viewer may see beside it. What is sick is shown first, and the rest is counted.

import { nodes, services as serviceKind } from "../../../../apis/kube/builtin-kinds.ts";
import { refOf } from "../../../../apis/kube/kube-object.ts";
import type { Health } from "../../../../core/views/object-view.ts";
import type { EdgeState, Picture, PictureEdge, PictureInput, PictureNode } from "../../../../core/views/picture.ts";
import { objectId } from "../../../../core/views/plan-view.ts";
import type { GatewayPool } from "../../apis/gateway-pool.ts";
import type { Node } from "../../apis/kube-objects.ts";
import { type AddressView, addressViews } from "./address-views.ts";
import { endpointNodes } from "./endpoint-nodes.ts";
import { counted, type GatewayView, lagWords, type PoolView, poolView } from "./gateway-views.ts";
import { reachWords } from "./reach-words.ts";
import { type ServiceView, serviceViews, surroundings } from "./service-views.ts";
import { sickFirst } from "./sick-first.ts";

/** Of each column: what fits on a screen. */
const most = { addresses: 6, services: 10 } as const;

export function poolPicture({ object, related }: PictureInput): Picture | undefined {
  const pool = object as GatewayPool;
  if (pool.status?.gateways === undefined) return undefined;
  const view = poolView(pool);
  const around = surroundings(pool, related);
  const addresses = addressViews(pool, view).toSorted(sickFirst(({ shown }) => shown));
  const services = serviceViews(pool, addresses, around).toSorted(sickFirst(({ key }) => key));
  const reach = reachWords({ pool, view, addresses, services });
  const shown = {
    addresses: addresses.slice(0, most.addresses),
    services: services.slice(0, most.services),
  };
  const hidden = hiddenOnes(pool, addresses, services);
  const behind = endpointNodes(shown.services, nodesByAddress(around.nodes));
  return {
    reach,
    columns: [
      { title: "Clients", nodes: [{ id: "clients", name: "clients", health: reach.health, word: clientWord(pool) }] },
      { title: "Addresses", nodes: [...shown.addresses.map(addressNode), ...hidden.addresses] },
      { title: "Gateways", nodes: view.gateways.map(gatewayNode) },
      ...column("Services", [...shown.services.map(serviceNode), ...hidden.services]),
      ...column("Endpoints", behind.nodes),
    ],
    edges: [
      ...shown.addresses.map((one) => ({ from: "clients", to: addressId(one), state: stateOfAddress(one) })),
      ...hidden.addresses.map(({ id }): PictureEdge => ({ from: "clients", to: id, state: "open" })),
      ...shown.addresses.flatMap((one) => toGateways(one, view)),
      ...hidden.addresses.flatMap(({ id }) =>
        viaLeaders(view).map(({ from }): PictureEdge => ({ from: id, to: from, state: "open" })),
      ),
      ...shown.services.flatMap((one) => fromGateways(one)),
      ...hidden.services.flatMap(({ id }) =>
        viaLeaders(view).map(({ from }): PictureEdge => ({ from, to: id, state: "open" })),
      ),
      ...behind.edges,
    ],
  };
}

function column(title: string, own: readonly PictureNode[]) {
  return own.length === 0 ? [] : [{ title, nodes: own }];
}

function clientWord({ status = {} }: GatewayPool): string {
  return `use ${counted(status.addresses?.inUse ?? 0, "address", "addresses")}`;
}

/** The rest as one node for each column: how many, and how many of them are not well. */
function hiddenOnes(pool: GatewayPool, addresses: readonly AddressView[], services: readonly ServiceView[]) {
  const { status = {} } = pool;
  const total = {
    addresses: Math.max(status.addresses?.inUse ?? 0, addresses.length),
    services: Math.max((status.services?.served ?? 0) + (status.services?.refused ?? 0), services.length),
  };
  const rest = (
    id: string,
    noun: readonly [string, string],
    all: number,
    views: readonly { health: Health }[],
    shown: number,
  ) => {
    const count = all - Math.min(views.length, shown);
    const sick = views.slice(shown).filter(({ health }) => health === "degraded" || health === "refused").length;
    const node: PictureNode = {
      id,
      name: counted(count, `more ${noun[0]}`, `more ${noun[1]}`),
      health: sick > 0 ? "degraded" : "healthy",
      word: sick > 0 ? `${sick} of them not well` : "nothing is known against them",
    };
    return count <= 0 ? [] : [node];
  };
  // Of a viewer who sees no Service, the number alone says nothing that the reach does not.
  const isBlind = services.length === 0;
  return {
    addresses: rest("more addresses", ["address", "addresses"], total.addresses, addresses, most.addresses),
    services: isBlind ? [] : rest("more services", ["Service", "Services"], total.services, services, most.services),
  };
}

function addressId({ status }: AddressView): string {
  return `address ${status.address}`;
}

function addressNode(view: AddressView): PictureNode {
  const { shown, health, word, status } = view;
  const note = [...(shown === status.address ? [] : [status.address]), counted(status.services, "Service", "Services")];
  return { id: addressId(view), name: shown, exact: true, health, word, note: note.join(", ") };
}

function stateOfAddress({ reached }: AddressView): EdgeState {
  const states = { yes: "open", partly: "broken", no: "broken", unknown: "unknown", "not-yet": "closed" } as const;
  return states[reached];
}

/** To each gateway that may lead: whoever stands by is a way that nobody is sent. */
function toGateways(address: AddressView, { gateways }: PoolView): readonly PictureEdge[] {
  const { group } = address;
  if (group === undefined) return [];
  return gateways.flatMap(({ name, state, status }) => {
    const role = status.groups?.find((one) => one.name === group.name)?.role;
    if (role === undefined && !group.by.includes(name)) return [];
    const leads = group.by.includes(name);
    const states: EdgeState = leads
      ? stateOfAddress(address)
      : state === "silent" || role === "fault" || group.standing === "unled"
        ? "broken"
        : "closed";
    return [{ from: addressId(address), to: gatewayId(name), state: states }];
  });
}

function gatewayId(name: string): string {
  return `gateway ${name}`;
}

function gatewayNode({ name, state, status, lag, leads }: GatewayView): PictureNode {
  const groups = leads.map((group) => group.name);
  const role =
    groups.length > 0 ? "leads" : (status.groups ?? []).some(({ role: is }) => is === "backup") ? "stands by" : "";
  const late = lag.kind === "behind" || lag.kind === "earlier-term" || lag.kind === "nothing" ? lagWords(lag) : "";
  const note = [state === "silent" ? (status.message ?? "") : "", late].filter((part) => part !== "").join(", ");
  const told = { id: gatewayId(name), name, ...(note === "" ? {} : { note }) };
  const unseen = groups.length > 0 ? "leads, but its agent does not answer" : "does not answer";
  if (state === "silent") return { ...told, health: "degraded", word: unseen };
  if (state === "awaited") return { ...told, health: "unknown", word: "has not answered yet" };
  if (state === "unready") {
    const why = status.message === undefined ? "" : `: ${status.message}`;
    return { ...told, health: "degraded", word: `${role === "" ? "" : `${role}, `}not ready${why}` };
  }
  const isSplit = leads.some(({ standing }) => standing === "split");
  if (isSplit) return { ...told, health: "degraded", word: "leads as well as another" };
  return { ...told, health: late === "" ? "healthy" : "progressing", word: role === "" ? "ready" : role };
}

/** From whoever leads one of the Service's addresses. */
function fromGateways(service: ServiceView): readonly PictureEdge[] {
  const leaders = new Map(
    service.addresses.flatMap((address) => (address.group?.by ?? []).map((name) => [name, address] as const)),
  );
  return [...leaders].map(([name, address]) => ({
    from: gatewayId(name),
    to: serviceId(service),
    state: service.note === undefined ? stateOfAddress(address) : "unknown",
  }));
}

function viaLeaders({ gateways }: PoolView): readonly { readonly from: string }[] {
  return gateways.filter(({ leads }) => leads.length > 0).map(({ name }) => ({ from: gatewayId(name) }));
}

export function serviceId({ key }: ServiceView): string {
  return `service ${key}`;
}

function serviceNode(view: ServiceView): PictureNode {
  const { key, service, health, word, note, ports } = view;
  const detail = note ?? ports.slice(0, 3).join(", ");
  return {
    id: serviceId(view),
    name: key,
    health,
    word,
    ...(detail === "" ? {} : { note: detail }),
    ...(service === undefined ? {} : { object: objectId(serviceKind, refOf(service)) }),
  };
}

function nodesByAddress(all: readonly Node[]): ReadonlyMap<string, PictureNode["object"]> {
  return new Map(
    all.flatMap((node) =>
      (node.status?.addresses ?? []).map(({ address }) => [address, objectId(nodes, refOf(node))] as const),
    ),
  );
}
