// The programs and the disk of one gateway in memory. They outlive an agent that dies. Each call can be made to fail before or after its
// effect, or to be the last thing that the agent's process ever does.

import { familyOf } from "../../../core/net/ip.ts";
import type { ConnectionsTo, Conntrack } from "../../../ports/conntrack.ts";
import type { Journal } from "../../../ports/journal.ts";
import type { Keepalived, KeepalivedState, VrrpRole } from "../../../ports/keepalived.ts";
import type { ElementCount, Nft, NftFamily } from "../../../ports/nft.ts";
import type { Sysctls } from "../../../ports/sysctls.ts";
import { forwardingKey, type GatewayDocument } from "../core/model/document.ts";
import { type FakeScript, sameRules } from "./fake-dataplane.ts";

/** `lost`: it has its effect, and the caller hears of a failure. `dead…`: the process ends, before or after the effect. */
export type Fate = "works" | "fails" | "lost" | "dead-before" | "dead-after";

export type GatewayCall =
  | "nft.apply"
  | "nft.check"
  | "nft.hasTable"
  | "nft.counters"
  | "keepalived.check"
  | "keepalived.use"
  | "keepalived.setReady"
  | "keepalived.state"
  | "conntrack.forget"
  | "journal.read"
  | "journal.append"
  | "journal.replace";

export class FakeGateway {
  rules: GatewayDocument | undefined;
  configuration: string | undefined;
  isRunning = false;
  isReady = false;
  roles = new Map<string, VrrpRole>();
  lines: readonly string[] = [];
  forgotten: readonly ConnectionsTo[] = [];
  /** Each with its endpoint. */
  connections: readonly ConnectionsTo[] = [];
  /** Of every call, in order. */
  readonly calls: GatewayCall[] = [];
  /** Each moment in which an address was announced that the rules did not know. */
  exposed: readonly string[] = [];
  /** A call was the last of the agent's process. */
  isDead = false;
  fate: (call: GatewayCall, number: number) => Fate = () => "works";
  /** Told of each call that had its effect. */
  onEffect: (call: GatewayCall) => void = () => {};

  readonly nft: Nft = {
    apply: (script) => this.#call("nft.apply", () => this.#apply(script)),
    check: (script) => this.#call("nft.check", () => void this.#rulesAfter(script)),
    hasTable: () => this.#call("nft.hasTable", () => this.rules !== undefined),
    counters: ({ family, name }) => this.#call("nft.counters", () => this.#countersOf(family, name)),
    version: () => Promise.resolve("1.0.6"),
  };

  readonly keepalived: Keepalived = {
    check: (configuration) => this.#call("keepalived.check", () => refuseBroken(configuration)),
    use: (configuration) =>
      this.#call("keepalived.use", () => {
        refuseBroken(configuration);
        this.configuration = configuration;
        this.isRunning = true;
        this.#look();
      }),
    setReady: (ready) => this.#call("keepalived.setReady", () => void (this.isReady = ready)),
    state: () =>
      this.#call("keepalived.state", (): KeepalivedState => ({ running: this.isRunning, roles: this.roles })),
    version: () => Promise.resolve("2.2.7"),
    stop: () => Promise.resolve(void (this.isRunning = false)),
  };

  readonly conntrack: Conntrack = {
    forget: (connections) =>
      this.#call("conntrack.forget", () => {
        this.forgotten = [...this.forgotten, ...connections];
        this.connections = this.connections.filter((one) => !connections.some((those) => isAmong(one, those)));
      }),
  };

  /** Packets by forwarding; each has a hundred bytes. */
  readonly traffic = new Map<
    string,
    { readonly connections: number; readonly received: number; readonly sent: number }
  >();

  /** Settings and counts of the kernel, by name. */
  readonly kernel = new Map<string, string>([
    ["net.ipv4.ip_forward", "1"],
    ["net.ipv6.conf.all.forwarding", "1"],
    ["net.ipv4.conf.all.rp_filter", "0"],
    ["net.netfilter.nf_conntrack_tcp_be_liberal", "1"],
    ["net.netfilter.nf_conntrack_tcp_loose", "1"],
    ["net.netfilter.nf_conntrack_count", "0"],
    ["net.netfilter.nf_conntrack_max", "262144"],
  ]);

  readonly sysctls: Sysctls = { read: async (name) => this.kernel.get(name) };

  readonly journal: Journal = {
    read: () => this.#call("journal.read", () => this.lines),
    append: (line) => this.#call("journal.append", () => void (this.lines = [...this.lines, line])),
    replace: (lines) => this.#call("journal.replace", () => void (this.lines = lines)),
  };

  /** Somebody else removes all rules, or an address from ours. */
  foreignChange(change: "flush" | "edit"): void {
    this.rules = change === "flush" || this.rules === undefined ? undefined : { ...this.rules, forwardings: [] };
  }

  /** The machine starts again: what is on its disk stays. */
  reboot(): void {
    this.endProcess();
    this.rules = undefined;
    this.configuration = undefined;
    this.isRunning = false;
    this.isReady = false;
  }

  /** The agent's process ends. */
  endProcess(): void {
    this.isDead = false;
    this.fate = () => "works";
  }

  count(call: GatewayCall): number {
    return this.calls.filter((one) => one === call).length;
  }

  /** What keepalived announces to clients. */
  get announced(): readonly string[] {
    const lines = this.isRunning ? (this.configuration ?? "").matchAll(/^\s*(\S+)\/\d+ dev ext0$/gm) : [];
    return [...lines].flatMap((match) => match[1] ?? []).toSorted();
  }

  #countersOf(family: NftFamily, name: string): readonly ElementCount[] {
    if (this.rules === undefined) throw new Error("No such file or directory");
    const own = this.rules.forwardings.filter(({ address }) => (familyOf(address) === 4 ? "ip" : "ip6") === family);
    return own.map((one) => {
      const { connections = 0, received = 0, sent = 0 } = this.traffic.get(forwardingKey(one)) ?? {};
      const packets = { forwardings: connections, received, sent }[name] ?? 0;
      return { parts: [one.address, one.protocol.toLowerCase(), String(one.port)], packets, bytes: packets * 100 };
    });
  }

  #apply(script: string): void {
    this.rules = this.#rulesAfter(script);
    this.#look();
  }

  #rulesAfter(script: string): GatewayDocument {
    const content = JSON.parse(script) as FakeScript;
    const fits = content.kind === "load" || (this.rules !== undefined && sameRules(this.rules, content.from));
    if (!fits) throw new Error("No such file or directory");
    if (content.to.forwardings.some(({ service }) => service === "broken/rules")) throw new Error("Invalid argument");
    return content.to;
  }

  #look(): void {
    const known = new Set(this.rules?.addresses.map(({ address }) => address));
    this.exposed = [...this.exposed, ...this.announced.filter((address) => !known.has(address))];
  }

  async #call<T>(call: GatewayCall, effect: () => T): Promise<T> {
    this.calls.push(call);
    const fate = this.fate(call, this.calls.length);
    this.isDead ||= fate.startsWith("dead");
    // Effects come a moment after the call, as with real programs.
    await Promise.resolve();
    if (fate === "dead-before") return await forever();
    if (fate === "fails") throw new Error(`${call} failed`);
    const result = effect();
    this.onEffect(call);
    if (fate === "dead-after") return await forever();
    if (fate === "lost") throw new Error(`${call}: the answer was lost`);
    return result;
  }
}

function isAmong(one: ConnectionsTo, { address, protocol, port, endpoint }: ConnectionsTo): boolean {
  const isThere = one.address === address && one.protocol === protocol && one.port === port;
  const { endpoint: other } = one;
  return isThere && (endpoint === undefined || (other?.address === endpoint.address && other.port === endpoint.port));
}

function refuseBroken(configuration: string): void {
  if (configuration.includes("vrrp_instance broken ")) throw new Error("keepalived: unknown keyword");
}

function forever<T>(): Promise<T> {
  return new Promise(() => {});
}
