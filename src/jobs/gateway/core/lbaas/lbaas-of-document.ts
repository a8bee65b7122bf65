// A document in the words of ch-k8s-lbaas, for a gateway that still runs its agent. What such an agent cannot do is left out and said, never
// sent: one forward that it does not accept would cost all of them. A forwarding with allowed sources is left out, too: without them it
// would be open to everybody.

import { familyOf } from "../../../../core/net/ip.ts";
import type { CarryProblem } from "../model/agent-answers.ts";
import { type Forwarding, forwardingKey, type GatewayDocument } from "../model/document.ts";

/** As it stands on the wire. */
export interface LbaasWireConfig {
  readonly ingress: readonly { readonly address: string; readonly ports: readonly LbaasWireForward[] }[];
  readonly "network-policies": readonly never[];
  readonly "policy-assignments": readonly never[];
}

interface LbaasWireForward {
  readonly protocol: "TCP" | "UDP";
  readonly "inbound-port": number;
  readonly "destination-port": number;
  readonly "destination-addresses": readonly string[];
}

export function lbaasOfDocument({ forwardings }: GatewayDocument): {
  readonly config: LbaasWireConfig;
  readonly problems: readonly CarryProblem[];
} {
  const ingress = new Map<string, LbaasWireForward[]>();
  const problems: CarryProblem[] = [];
  for (const forwarding of forwardings) {
    const forward = wireForward(forwarding);
    if (typeof forward === "string") {
      problems.push({ subject: forwardingKey(forwarding), service: forwarding.service, message: forward });
      continue;
    }
    const ports = ingress.get(forwarding.address) ?? [];
    ports.push(forward);
    ingress.set(forwarding.address, ports);
  }
  const list = [...ingress].map(([address, ports]) => ({ address, ports }));
  return { config: { ingress: list, "network-policies": [], "policy-assignments": [] }, problems };
}

/** Or why it cannot be sent. */
function wireForward({
  address,
  protocol,
  port,
  buckets,
  allowedSources,
  ...rest
}: Forwarding): LbaasWireForward | string {
  if (protocol === "SCTP") return "an agent of ch-k8s-lbaas does not know SCTP";
  if (familyOf(address) !== 4) return "an agent of ch-k8s-lbaas does not know IPv6";
  if (allowedSources !== undefined) return "an agent of ch-k8s-lbaas does not know allowed sources";
  // Such an agent sends new connections to all of them: those that drain are not for it.
  const used = new Set(buckets);
  const endpoints = rest.endpoints.filter((_, place) => used.has(place));
  const [first] = endpoints;
  const ports = new Set(endpoints.map((endpoint) => endpoint.port));
  if (ports.size > 1) return "an agent of ch-k8s-lbaas knows one port for all endpoints";
  return {
    protocol,
    "inbound-port": port,
    // Without endpoints nobody uses it; 0 would be refused.
    "destination-port": first?.port ?? port,
    "destination-addresses": endpoints.map((endpoint) => endpoint.address),
  };
}
