// Sends a gateway the latest document: only the difference where it is large and the gateway is known to carry what it differs from, and all
// of it when the gateway says otherwise.

import { MainstayError } from "../../../../core/errors.ts";
import type { Reason } from "../../../../core/reasons.ts";
import type { Writer } from "../../../../engine/feature.ts";
import { documentDelta } from "../../core/delta/document-delta.ts";
import type { PushDocument, StopGateway } from "../../core/model/actions.ts";
import type { GatewayDocument } from "../../core/model/document.ts";
import { type FeedParts, GatewayClient, type PushAnswer } from "../feed/gateway-client.ts";
import type { PoolMemories, PoolMemory } from "../pool-memory.ts";

/** Smaller documents are sent whole: a difference is not worth a second try. */
const largeDocument = 50;

export function pushDocument(memories: PoolMemories, parts: FeedParts | undefined) {
  return async ({ pool, gateway }: PushDocument, writer: Writer): Promise<void> => {
    const memory = memories.of(pool);
    const { target } = memory.gateway(gateway);
    const document = memory.sending(gateway);
    if (parts === undefined || target === undefined || document === undefined)
      throw failure("GatewayUnreachable", gateway, "it has not been asked yet");
    const client = new GatewayClient(parts, target);
    settle(await send(client, document, gateway, memory, writer), gateway, document, memory);
  };
}

/** The empty document; whole, since it is small. */
export function stopGateway(memories: PoolMemories, parts: FeedParts | undefined) {
  return async ({ pool, gateway }: StopGateway, { signal, fence }: Writer): Promise<void> => {
    const memory = memories.of(pool);
    const { target, capabilities } = memory.gateway(gateway);
    const document = memory.stopping();
    if (parts === undefined || target === undefined || document === undefined)
      throw failure("GatewayUnreachable", gateway, "it has not been asked yet");
    const client = new GatewayClient(parts, target);
    const answer =
      capabilities === "v1" ? client.pushV1(document, { signal, fence }) : client.push(document, { signal, fence });
    settle(await answer, gateway, document, memory);
  };
}

async function send(
  client: GatewayClient,
  document: GatewayDocument,
  gateway: string,
  memory: PoolMemory,
  { signal, fence }: Writer,
): Promise<PushAnswer> {
  const { capabilities, carried } = memory.gateway(gateway);
  const call = { signal, fence };
  if (capabilities === "v1") return await client.pushV1(document, call);
  const knowsDeltas = capabilities?.features.includes("delta") === true;
  if (carried === undefined || !knowsDeltas || document.forwardings.length < largeDocument)
    return await client.push(document, call);
  const answer = await client.push(documentDelta(carried, document), call);
  return answer.kind === "refused" && answer.why === "wrong-base" ? await client.push(document, call) : answer;
}

function settle(answer: PushAnswer, gateway: string, document: GatewayDocument, memory: PoolMemory): void {
  switch (answer.kind) {
    case "carried":
      return memory.carries(gateway, document);
    case "refused":
      if (["older", "other-content"].includes(answer.why)) memory.overtaken(answer.carries ?? document.version);
      throw failure("GatewayRefuses", gateway, `${answer.why}: ${answer.message}`);
    case "unauthorised":
      throw failure("GatewayRefuses", gateway, answer.message);
    case "failed":
      throw failure("GatewayApplyFailed", gateway, answer.message);
    case "silent":
      throw failure("GatewayUnreachable", gateway, answer.message);
  }
}

function failure(reason: Reason, gateway: string, message: string): MainstayError {
  return new MainstayError({ reason, message: `gateway ${gateway}: ${message}` });
}
