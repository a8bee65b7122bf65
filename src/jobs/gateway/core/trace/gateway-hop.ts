// Which gateway gets the packet, and whether it carries the port that is asked for.

import { forwardingKey, type GatewayDocument } from "../model/document.ts";
import { joined } from "../picture/gateway-views.ts";
import type { Hop, Step, TracedAddress, TraceInput } from "./trace.ts";

/** `document`: what the gateway carries, where it told. */
export function gatewayHop(
  { gateways }: TraceInput,
  { address, group }: TracedAddress,
  port: TraceInput["ports"][number],
): Step & { readonly document?: GatewayDocument } {
  if (group === undefined) return stops("none", "no gateway carries the address yet");
  const { standing, by, name: groupName } = group;
  if (standing === "unled")
    return stops("none", `no gateway leads the group ${groupName}: nobody answers for the address`);
  if (standing === "split") {
    const words = `${joined(by)} lead the group ${groupName} at once: which one gets it changes from moment to moment`;
    return { hops: [hop(joined(by), "unknown", words)] };
  }
  const [leader] = by;
  if (leader === undefined)
    return { hops: [hop("not known", "unknown", `nobody knows who leads the group ${groupName}`)] };
  const leads = {
    led: `it leads the group ${groupName}${group.since === undefined ? "" : ` since ${group.since}`}`,
    heard: `it leads the group ${groupName}: its agent does not answer, but another gateway hears it`,
    unknown: `it led the group ${groupName} when last seen`,
  }[standing];
  const seen = standing === "led" ? "passes" : "unknown";
  const asked = gateways.find(({ name }) => name === leader);
  if (asked?.document === undefined) return { hops: [hop(leader, seen, `${leads}; it was not asked what it carries`)] };
  const { epoch, generation } = asked.document.version;
  const key = forwardingKey({ address, ...port });
  const problem = asked.problems?.find(({ subject }) => subject === key || subject === address);
  const carries = `${leads}, and carries document ${epoch}.${generation}`;
  if (!asked.document.forwardings.some((one) => forwardingKey(one) === key)) {
    const { end, words } = notCarried(port.protocol);
    return stops(leader, `${carries}, which does not have ${port.port}/${port.protocol} of ${address}: ${words}`, end);
  }
  const told =
    problem === undefined ? "" : `; it cannot carry this as asked (${problem.message}) and keeps what was good before`;
  return {
    hops: [hop(leader, problem === undefined ? seen : "unknown", `${carries}${told}`)],
    document: asked.document,
  };
}

/** As the chain `untranslated` does it. */
function notCarried(protocol: string): { readonly end: "refused" | "dropped"; readonly words: string } {
  return protocol === "TCP"
    ? { end: "refused", words: "the client is told at once that the port is closed" }
    : { end: "dropped", words: "it is dropped" };
}

function hop(name: string, result: Hop["result"], words: string): Hop {
  return { at: "gateway", name, result, words };
}

function stops(name: string, words: string, end: "refused" | "dropped" = "dropped"): Step {
  return { hops: [hop(name, "stops", words)], end };
}
