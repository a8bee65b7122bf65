// What each provider cannot do: 501 at the moment somebody asks for it, and never a hint before. And what it says it does and does not.

import { refuse } from "../cloud-fault.ts";
import type { ProviderBehaviour } from "../cloud-settings.ts";

export interface ProviderRules {
  readonly behaviour: ProviderBehaviour;
  /** `mistaken`: a zone that Octavia lists is a bad request all the same. */
  readonly zones: boolean | "mistaken";
  readonly failover: boolean;
  readonly algorithms: readonly string[];
  readonly protocols: readonly string[];
  readonly monitorTypes: readonly string[];
  readonly accessLists: boolean;
  /** Of listeners. */
  readonly timeouts: boolean;
  /** Without a subnet a member must be in the VIP's. */
  readonly memberSubnets: boolean;
  readonly monitorPorts: boolean;
  /** A listener that comes after a health monitor of its transport never ends, and the balancer with it. */
  readonly hangsOnLateListeners: boolean;
  /** After the end of a monitor it speaks of the balancer's first pool: another one stays PENDING until it is changed itself. */
  readonly mistakesMonitorsPool: boolean;
  /** Of the VIP's port. */
  readonly portName: (balancerId: string) => string;
  readonly portOwner: string;
}

const amphora: ProviderRules = {
  behaviour: "amphora",
  zones: true,
  failover: true,
  algorithms: ["ROUND_ROBIN", "LEAST_CONNECTIONS", "SOURCE_IP"],
  protocols: ["TCP", "HTTP", "HTTPS", "UDP", "PROXY", "PROXYV2", "SCTP", "TERMINATED_HTTPS"],
  monitorTypes: ["TCP", "HTTP", "HTTPS", "PING", "TLS-HELLO", "UDP-CONNECT", "SCTP"],
  accessLists: true,
  timeouts: true,
  memberSubnets: false,
  monitorPorts: true,
  hangsOnLateListeners: false,
  mistakesMonitorsPool: false,
  portName: (id) => `octavia-lb-${id}`,
  portOwner: "Octavia",
};

export const providerRules: Readonly<Record<ProviderBehaviour, ProviderRules>> = {
  amphora,
  plain: { ...amphora, behaviour: "plain", zones: false },
  misplaced: { ...amphora, behaviour: "misplaced", zones: "mistaken" },
  untimed: { ...amphora, behaviour: "untimed", timeouts: false },
  unlisted: { ...amphora, behaviour: "unlisted", accessLists: false },
  sparse: { ...amphora, behaviour: "sparse", accessLists: false, timeouts: false },
  ovn: {
    behaviour: "ovn",
    zones: false,
    failover: false,
    algorithms: ["SOURCE_IP_PORT"],
    protocols: ["TCP", "UDP", "SCTP"],
    monitorTypes: ["TCP", "UDP-CONNECT"],
    accessLists: false,
    timeouts: true,
    memberSubnets: true,
    monitorPorts: false,
    hangsOnLateListeners: true,
    mistakesMonitorsPool: true,
    portName: (id) => `ovn-lb-vip-${id}`,
    portOwner: "",
  },
};

export function unsupported(provider: string, what: string): never {
  refuse(501, `Provider '${provider}' does not support a requested option: ${what}`);
}

export function checkSupported(provider: string, supported: readonly string[], value: string, what: string): void {
  if (!supported.includes(value)) unsupported(provider, `${what} ${value}`);
}
