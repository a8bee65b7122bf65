// What each gateway says of itself. All are asked at once, each is waited for a moment only, and none holds up another. The document is
// asked for only where a gateway carries one that this leader has not sent.

import { MainstayError } from "../../../../core/errors.ts";
import { explainError } from "../../../../core/explain.ts";
import type { Reason } from "../../../../core/reasons.ts";
import { isReason } from "../../../../core/reasons.ts";
import type { Reader } from "../../../../engine/feature.ts";
import { Questions } from "../../../../engine/round/questions.ts";
import type { GatewayPool, GatewaySpec } from "../../apis/gateway-pool.ts";
import type { AgentCapabilities, AgentStatus } from "../../core/model/agent-answers.ts";
import { compareVersions, type GatewayDocument } from "../../core/model/document.ts";
import type { GatewayState } from "../../core/model/observed.ts";
import { type Answer, type FeedParts, GatewayClient } from "../feed/gateway-client.ts";
import { accessOf } from "../feed/read-access.ts";
import type { GatewayMemory, PoolMemory } from "../pool-memory.ts";

interface Said {
  readonly api: "v1" | "v2";
  readonly status: AgentStatus;
  readonly capabilities?: AgentCapabilities;
  readonly carried?: GatewayDocument;
}

/** What an agent is does not change often. */
const capabilitiesMs = 300_000;

export class GatewayObserver {
  readonly #parts: FeedParts | undefined;
  readonly #questions = new Questions<Said>();

  /** Without parts nobody is asked, as by commands. */
  constructor(parts: FeedParts | undefined) {
    this.#parts = parts;
  }

  async observe(
    pool: GatewayPool,
    gateways: readonly GatewaySpec[],
    memory: PoolMemory,
    reader: Reader,
  ): Promise<ReadonlyMap<string, GatewayState>> {
    const states = await Promise.all(gateways.map((gateway) => this.#state(pool, gateway, memory, reader)));
    // Only now it is known what the latest document is: one that is silent may carry it.
    const recorded = pool.status?.quarantinedAddresses ?? [];
    const latest = memory.previous()?.addresses.map(({ address }) => address) ?? [];
    const withCarried = (name: string, state: GatewayState): GatewayState => {
      if (state.kind !== "silent") return state;
      const known = memory.gateway(name);
      known.mayCarry ??= new Set([...recorded, ...latest]);
      return { ...state, mayCarry: known.mayCarry };
    };
    return new Map(
      gateways.map(({ name }, place) => [name, withCarried(name, states[place] ?? { kind: "awaited" })] as const),
    );
  }

  async #state(pool: GatewayPool, gateway: GatewaySpec, memory: PoolMemory, reader: Reader): Promise<GatewayState> {
    const parts = this.#parts;
    if (parts === undefined) return { kind: "awaited" };
    const id = `${pool.metadata.name} ${gateway.name}`;
    const about = JSON.stringify([gateway.url, gateway.credentialsRef]);
    try {
      const ask = () => askGateway(gateway, memory, reader, parts);
      const { monotonicMs, inTime } = reader;
      const said = await this.#questions.ask(id, { about, ask }, { monotonicMs, inTime });
      if (said === "awaited") return { kind: "awaited" };
      // A late answer may be older than what we have been told since, in answer to a document.
      const { carried, ...rest } = said.value;
      const latest = newer(carried, memory.gateway(gateway.name).carried);
      memory.carries(gateway.name, latest);
      return { kind: "answers", ...rest, ...(latest === undefined ? {} : { carried: latest }) };
    } catch (error) {
      const { reason, text } = explainError(error);
      const word: Reason = isReason(reason) ? reason : "GatewayUnreachable";
      return { kind: "silent", reason: word, message: text, mayCarry: new Set() };
    }
  }
}

/** A gateway that was set up anew carries less than it did: what it says now counts, unless we have just sent it something newer. */
function newer(said: GatewayDocument | undefined, known: GatewayDocument | undefined): GatewayDocument | undefined {
  if (said === undefined || known === undefined) return said;
  return said.version.epoch === known.version.epoch && compareVersions(known.version, said.version) > 0 ? known : said;
}

async function askGateway(gateway: GatewaySpec, memory: PoolMemory, reader: Reader, parts: FeedParts): Promise<Said> {
  const { name, url } = gateway;
  const known = memory.gateway(name);
  const target = { gateway: name, url, access: await accessOf(gateway, reader) };
  known.target = target;
  const client = new GatewayClient(parts, target);
  const call = { signal: reader.signal };
  const capabilities = await capabilitiesOf(client, known, name, reader);
  if (capabilities === "v1") return lbaasSays(name, known);
  const status = valueOf(await client.status(call), name);
  const carried = await carriedBy(client, status, known, memory, call.signal);
  return { api: "v2", status, capabilities, ...(carried === undefined ? {} : { carried }) };
}

/** An agent of ch-k8s-lbaas says nothing: what it accepted last is what it carries. */
function lbaasSays(name: string, { carried }: GatewayMemory): Said {
  const status: AgentStatus = { name, problems: [], ready: true, keepalived: "unknown", groups: [] };
  return { api: "v1", status, ...(carried === undefined ? {} : { carried }) };
}

async function capabilitiesOf(client: GatewayClient, known: GatewayMemory, name: string, reader: Reader) {
  const { monotonicMs, signal } = reader;
  if (known.capabilities !== undefined && monotonicMs - known.capabilitiesAskedMs < capabilitiesMs)
    return known.capabilities;
  const capabilities = valueOf(await client.capabilities({ signal }), name);
  known.capabilities = capabilities;
  known.capabilitiesAskedMs = monotonicMs;
  return capabilities;
}

async function carriedBy(
  client: GatewayClient,
  { name, carries }: AgentStatus,
  known: GatewayMemory,
  memory: PoolMemory,
  signal: AbortSignal,
): Promise<GatewayDocument | undefined> {
  if (carries === undefined) return undefined;
  const documents = [known.carried, memory.previous()].flatMap((document) => document ?? []);
  const found = documents.find(({ version }) => compareVersions(version, carries) === 0);
  return found ?? valueOf(await client.document({ signal }), name);
}

function valueOf<T>(answer: Answer<T>, name: string): T {
  if (answer.kind === "answered") return answer.value;
  const reason = answer.kind === "silent" ? "GatewayUnreachable" : "GatewayRefuses";
  throw new MainstayError({ reason, message: `gateway ${name}: ${answer.message}` });
}
