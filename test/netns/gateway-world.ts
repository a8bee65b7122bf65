// The topology with a document that both gateways carry, and the questions that tests ask of it.

import { type Forwarding, forwardingKey, type GatewayDocument } from "../../src/jobs/gateway/core/model/document.ts";
import { sampleDocument, sampleForwarding, sampleGroup } from "../../src/jobs/gateway/sim/sample-document.ts";
import { until } from "../lab/until.ts";
import type { GatewayNode } from "./gateway-node.ts";
import type { To } from "./namespace-program.ts";
import { endpoints, makeTopology, type Topology } from "./topology.ts";

export const vip = "198.18.0.100";
export const vip6 = "fd00:e::100";
/** Its addresses in the cluster move with the group. */
const sourceAddresses = [101, 102, 103, 104].flatMap((host) => [`198.19.0.${host}`, `fd00:c::${host}`]);

export class GatewayWorld {
  readonly topology: Topology;
  readonly #connections: string[] = [];
  #generation = 0;
  #words = 0;

  static async make(): Promise<GatewayWorld> {
    return new GatewayWorld(await makeTopology());
  }

  constructor(topology: Topology) {
    this.topology = topology;
  }

  /** The next version of what is carried: TCP and UDP of both families, or what is given. */
  document(forwardings: readonly Forwarding[] = usual, fields: Partial<GatewayDocument> = {}): GatewayDocument {
    this.#generation += 1;
    return sampleDocument({
      version: { epoch: 1, generation: this.#generation },
      // Longer than usual: this machine may be busy with other things for some hundred milliseconds.
      vrrp: { mode: "vrrp3", advertIntervalMs: 300, unicast: {} },
      groups: [sampleGroup({ order: ["gw1", "gw2"], sourceAddresses })],
      ...fields,
      forwardings,
    });
  }

  /** All gateways carry it, and the first one leads. */
  async carry(forwardings?: readonly Forwarding[]): Promise<GatewayDocument> {
    const document = this.document(forwardings);
    await this.tell(document);
    await this.owned("gw1");
    return document;
  }

  async tell(document: GatewayDocument, gateways: readonly GatewayNode[] = this.topology.gateways): Promise<void> {
    for (const gateway of gateways) {
      const { status, body } = await gateway.put(document);
      if (status !== 200) throw new Error(`${gateway.name} answers ${status}: ${body}`);
    }
  }

  /** By this gateway and no other. */
  async owned(by: string, address = vip): Promise<void> {
    const what = `${address} to be on ${by} alone`;
    await until(what, async () => (await this.topology.owners(address)).join(" ") === by);
  }

  async startAgain(gateway: GatewayNode): Promise<void> {
    await gateway.start();
    await until(`${gateway.name} to be ready`, async () => (await gateway.status()).ready);
  }

  connect(to: Partial<To> = {}, from?: string): Promise<unknown> {
    const { client } = this.topology;
    return client.ask({
      do: "connect",
      to: { address: vip, port: 80, ...to },
      ...(from === undefined ? {} : { from }),
    });
  }

  ask(to: Partial<To> = {}, from?: string, fields: { readonly fromPort?: number; readonly bytes?: number } = {}) {
    const { client } = this.topology;
    const asked = { do: "ask", to: { address: vip, port: 80, ...to }, ...fields } as const;
    return client.ask(from === undefined ? asked : { ...asked, from });
  }

  /** Which endpoint answers a new connection: a machine that is busy may need several tries. */
  async reach(to: Partial<To> = {}, from?: string): Promise<string> {
    return await until(`an endpoint behind ${to.address ?? vip}`, async () => endpointIn(await this.connect(to, from)));
  }

  /** The same by UDP. */
  async reachByUdp(to: Partial<To> = {}, from?: string): Promise<string> {
    return await until(`an endpoint behind ${to.address ?? vip}`, async () => endpointIn(await this.ask(to, from)));
  }

  /** Connections that stay open until the end, of both families; answers with their endpoints. */
  async open(count: number, addresses: readonly string[] = [vip, vip6]): Promise<readonly unknown[]> {
    const met: unknown[] = [];
    for (let index = 0; index < count; index += 1) {
      const id = `connection-${this.#connections.length}`;
      const address = addresses[index % addresses.length] ?? vip;
      met.push(await this.topology.client.ask({ do: "open", id, to: { address, port: 80 } }));
      this.#connections.push(id);
    }
    return met;
  }

  async closeAll(): Promise<void> {
    await this.topology.client.ask({ do: "close" });
    this.#connections.length = 0;
  }

  /** What comes of a word that the endpoints say in each of them now, while clients say nothing. */
  async pushed(): Promise<readonly unknown[]> {
    this.#words += 1;
    const text = `word-${this.#words}`;
    for (const server of this.topology.servers) await server.ask({ do: "push", text });
    return await Promise.all(this.#connections.map((id) => this.topology.client.ask({ do: "hear", id, text })));
  }

  /** What comes of a word that is said in each of them now. */
  async heard(): Promise<readonly unknown[]> {
    this.#words += 1;
    const text = `word-${this.#words}`;
    return await Promise.all(this.#connections.map((id) => this.topology.client.ask({ do: "say", id, text })));
  }

  /** All of them, so far. */
  get allHeard(): readonly string[] {
    return this.#connections.map(() => "heard");
  }
}

function endpointIn(answer: unknown): string | undefined {
  return answer === "b1" || answer === "b2" ? answer : undefined;
}

export function forwarding(fields: Partial<Forwarding> = {}): Forwarding {
  const address = fields.address ?? vip;
  return sampleForwarding({ address, endpoints: address.includes(":") ? endpoints.six : endpoints.four, ...fields });
}

export const usual: readonly Forwarding[] = ([vip, vip6] as const).flatMap((address) => [
  forwarding({ address }),
  forwarding({ address, protocol: "UDP" }),
]);

/** The usual ones, with these in place of those with the same key. */
export function usualWith(...changed: readonly Forwarding[]): readonly Forwarding[] {
  const keys = new Set(changed.map(forwardingKey));
  return [...usual.filter((one) => !keys.has(forwardingKey(one))), ...changed];
}
