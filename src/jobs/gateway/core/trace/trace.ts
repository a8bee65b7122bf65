// Where a packet to a Service would go, hop by hop, and why it would not arrive: from what gateways carry, in the order in which their rules
// look at it. What nobody could see is said to be unknown, and where several endpoints are possible all of them are named. Pure.

import { familyOf } from "../../../../core/net/ip.ts";
import type { CarryProblem } from "../model/agent-answers.ts";
import { type Forwarding, forwardingKey, type GatewayDocument } from "../model/document.ts";
import type { GroupView } from "../picture/gateway-views.ts";
import { endpointHops } from "./endpoint-hops.ts";
import { gatewayHop } from "./gateway-hop.ts";
import { sourcesHop } from "./sources-hop.ts";

/** What becomes of it. `unknown`: it depends on something that could not be seen. */
export type Verdict = "delivered" | "refused" | "dropped" | "unknown";

export interface Hop {
  readonly at: "service" | "address" | "gateway" | "source ranges" | "bucket" | "source address" | "endpoint";
  readonly name: string;
  /** `stops`: the packet goes no further. */
  readonly result: "passes" | "stops" | "unknown";
  readonly words: string;
}

export interface Route {
  /** What clients connect to: `192.0.2.10`. */
  readonly address: string;
  /** `443/TCP`. */
  readonly port: string;
  readonly verdict: Verdict;
  readonly hops: readonly Hop[];
}

export interface Sender {
  readonly address: string;
  /** Absent: any. */
  readonly port?: number;
}

/** An address of the Service, and who carries it. */
export interface TracedAddress {
  /** On the gateways. */
  readonly address: string;
  /** What clients use. */
  readonly shown: string;
  /** Absent: no gateway was told of it yet. */
  readonly group?: GroupView;
}

export interface TracedGateway {
  readonly name: string;
  /** What it carries, as its agent just said; absent where it was not asked or did not answer. */
  readonly document?: GatewayDocument;
  readonly problems?: readonly CarryProblem[];
}

export interface TraceInput {
  /** `namespace/name`. */
  readonly service: string;
  readonly addresses: readonly TracedAddress[];
  readonly ports: readonly Pick<Forwarding, "protocol" | "port">[];
  readonly gateways: readonly TracedGateway[];
  /** What gateways should carry by what the API server has. Its endpoints are right; which bucket has which only gateways know. */
  readonly expected: GatewayDocument;
  readonly from?: Sender;
  /** What comes after an endpoint of the document, in words: `kube-proxy there chooses a Pod`. */
  readonly afterEndpoint?: string;
}

/** What was found out on the way. */
export interface Way {
  readonly input: TraceInput;
  readonly address: TracedAddress;
  readonly forwarding: Forwarding;
  readonly document: GatewayDocument;
  /** The buckets are those of a gateway. */
  readonly isCarried: boolean;
}

export interface Step {
  readonly hops: readonly Hop[];
  /** Given: here it ends. */
  readonly end?: Verdict;
}

export function traceService(input: TraceInput): readonly Route[] {
  return input.addresses.flatMap((address) => input.ports.map((port) => routeOf(input, address, port)));
}

function routeOf(input: TraceInput, address: TracedAddress, port: TraceInput["ports"][number]): Route {
  const { hops, verdict } = follow(input, address, port);
  return { address: address.shown, port: `${port.port}/${port.protocol}`, verdict, hops };
}

function follow(input: TraceInput, address: TracedAddress, port: TraceInput["ports"][number]) {
  const at: Hop = { at: "address", name: address.shown, result: "passes", words: addressWords(address) };
  const foreign = ofOtherFamily(input, address);
  if (foreign !== undefined) return { hops: [at, foreign], verdict: "dropped" as const };
  const gateway = gatewayHop(input, address, port);
  const first = [at, ...gateway.hops];
  if (gateway.end !== undefined) return { hops: first, verdict: gateway.end };
  const key = forwardingKey({ address: address.address, ...port });
  const document = gateway.document ?? input.expected;
  const forwarding = document.forwardings.find((one) => forwardingKey(one) === key);
  if (forwarding === undefined) {
    const words = `no endpoint and no port ${port.port}/${port.protocol} is known for it; the gateways are told when there is`;
    return {
      hops: [...first, { at: "bucket", name: key, result: "unknown", words } as const],
      verdict: "unknown" as const,
    };
  }
  const way: Way = { input, address, forwarding, document, isCarried: gateway.document !== undefined };
  const steps = [sourcesHop, endpointHops];
  const hops: Hop[] = [...first];
  for (const step of steps) {
    const { hops: more, end } = step(way);
    hops.push(...more);
    if (end !== undefined) return { hops, verdict: certain(end, hops) };
  }
  return { hops, verdict: certain("delivered", hops) };
}

/** What hangs on something unknown is unknown itself. */
function certain(verdict: Verdict, hops: readonly Hop[]): Verdict {
  return hops.some(({ result }) => result === "unknown") ? "unknown" : verdict;
}

function addressWords({ address, shown, group }: TracedAddress): string {
  const inner = address === shown ? "" : `the cloud sends it on to ${address}; `;
  return `${inner}${group === undefined ? "no gateway was told of it yet" : `it moves with the group ${group.name}`}`;
}

function ofOtherFamily({ from }: TraceInput, { address, shown }: TracedAddress): Hop | undefined {
  if (from === undefined || familyOf(from.address) === familyOf(address)) return undefined;
  const words = `${from.address} cannot send to it: it is of the other family`;
  return { at: "address", name: shown, result: "stops", words };
}
