// The endpoints behind the Services of a picture: the first few of each, and how many more. Several Services share the nodes of a cluster, so
// an endpoint is drawn once, by its address.

import type { EdgeState, PictureEdge, PictureNode } from "../../../../core/views/picture.ts";
import type { Endpoint } from "../model/document.ts";
import type { ServiceView } from "./service-views.ts";

const mostEach = 3;
const mostInAll = 16;

export interface EndpointNodes {
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
}

export function endpointNodes(
  services: readonly ServiceView[],
  machines: ReadonlyMap<string, PictureNode["object"]>,
): EndpointNodes {
  const nodes = new Map<string, PictureNode>();
  const edges: PictureEdge[] = [];
  const draw = (service: ServiceView, node: PictureNode, state: EdgeState): void => {
    if (!nodes.has(node.id)) nodes.set(node.id, node);
    edges.push({ from: `service ${service.key}`, to: node.id, state });
  };
  for (const service of services) {
    const { endpoints } = service;
    if (endpoints === undefined) continue;
    const { used, draining } = endpoints;
    if (used.length + draining.length === 0) {
      draw(service, { id: `none ${service.key}`, name: "none", health: "degraded", word: "nobody answers" }, "broken");
      continue;
    }
    const all = [
      ...used.map((one) => ({ one, isDraining: false })),
      ...draining.map((one) => ({ one, isDraining: true })),
    ];
    const room = nodes.size < mostInAll ? mostEach : 0;
    const shown = all.filter(({ one }, place) => place < room || nodes.has(idOf(one)));
    for (const { one, isDraining } of shown)
      draw(service, endpointNode(one, isDraining, machines), isDraining ? "closed" : "open");
    const rest = all.length - shown.length;
    if (rest > 0) draw(service, restNode(service, rest, shown.length > 0), "open");
  }
  return { nodes: [...nodes.values()], edges };
}

function idOf({ address }: Endpoint): string {
  return `endpoint ${address}`;
}

function endpointNode(
  endpoint: Endpoint,
  isDraining: boolean,
  machines: ReadonlyMap<string, PictureNode["object"]>,
): PictureNode {
  const object = machines.get(endpoint.address);
  return {
    id: idOf(endpoint),
    name: endpoint.address,
    exact: true,
    health: isDraining ? "progressing" : "healthy",
    word: isDraining ? "ends what it has" : "gets connections",
    ...(object === undefined ? {} : { note: object.name, object }),
  };
}

function restNode({ key }: ServiceView, rest: number, isMore: boolean): PictureNode {
  const name = isMore ? `${rest} more` : rest === 1 ? "1 endpoint" : `${rest} endpoints`;
  return { id: `rest ${key}`, name, health: "healthy", word: `of ${key}` };
}
