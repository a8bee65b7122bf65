// The block that both doors share: what an OpenStackCluster calls `apiServerLoadBalancer`, an APIEndpoint has too. Names and
// nesting are CAPO's; only availabilityZoneSubnets and allowCrossAZLoadBalancerMembers are new.

export interface TagsParam {
  readonly tags?: readonly string[];
  readonly tagsAny?: readonly string[];
  readonly notTags?: readonly string[];
  readonly notTagsAny?: readonly string[];
}

export interface NetworkFilterParam extends TagsParam {
  readonly name?: string;
  readonly description?: string;
  readonly projectID?: string;
}

export interface SubnetFilterParam extends TagsParam {
  readonly name?: string;
  readonly description?: string;
  readonly projectID?: string;
  readonly ipVersion?: number;
  readonly gatewayIP?: string;
  readonly cidr?: string;
  readonly ipv6AddressMode?: string;
  readonly ipv6RAMode?: string;
}

/** Exactly one of the two. */
export interface Param<Filter> {
  readonly id?: string;
  readonly filter?: Filter;
}

export type NetworkParam = Param<NetworkFilterParam>;
export type SubnetParam = Param<SubnetFilterParam>;

export interface AvailabilityZoneSubnet {
  readonly availabilityZone: string;
  readonly subnet: SubnetParam;
}

/** Seconds. Zero means the default, as it always has: the field has no schema default. */
export interface MonitorParam {
  readonly delay?: number;
  readonly timeout?: number;
  readonly maxRetries?: number;
  readonly maxRetriesDown?: number;
}

export interface ApiServerLoadBalancer {
  readonly enabled?: boolean;
  readonly additionalPorts?: readonly number[];
  readonly allowedCIDRs?: readonly string[];
  readonly provider?: string;
  readonly network?: NetworkParam;
  /** Of the single balancer; the first counts. */
  readonly subnets?: readonly SubnetParam[];
  /** Octavia's name of the single balancer's zone. */
  readonly availabilityZone?: string;
  readonly flavor?: string;
  readonly monitor?: MonitorParam;
  readonly availabilityZoneSubnets?: readonly AvailabilityZoneSubnet[];
  readonly allowCrossAZLoadBalancerMembers?: boolean;
}

export interface ControlPlaneEndpoint {
  readonly host?: string;
  readonly port?: number;
}

export interface IdentityRef {
  readonly type?: "Secret" | "ClusterIdentity";
  readonly name: string;
  readonly cloudName: string;
  readonly region?: string;
}

export interface SubnetStatus {
  readonly id?: string;
  readonly name?: string;
  readonly cidr?: string;
  readonly tags?: readonly string[];
}

export interface NetworkStatus {
  readonly id?: string;
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly subnets?: readonly SubnetStatus[];
}

/** `Healthy`: every member, of every port. `Degraded`: some. `Unhealthy`: none. `Empty`: there is no member. `Unknown`: nobody could look. */
export type LoadBalancerHealth = "Healthy" | "Degraded" | "Unhealthy" | "Empty" | "Unknown";

/** One balancer as status shows it. All but the key of the list may be missing: an entry is there before its balancer is. */
export interface LoadBalancerStatus {
  readonly name?: string;
  readonly id?: string;
  /** The floating address. */
  readonly ip?: string;
  /** The floating address is kept for this balancer and was not seen on it: the one before had it. Absent where it is there. */
  readonly ipDetached?: boolean;
  /** A floating address that is on no balancer: an earlier one of this entry had it, and is gone, while floating IPs are switched off. */
  readonly keptIP?: string;
  /** The VIP. */
  readonly internalIP?: string;
  readonly tags?: readonly string[];
  readonly allowedCIDRs?: readonly string[];
  /** Its network with exactly the subnet of its VIP. */
  readonly loadBalancerNetwork?: NetworkStatus;
  /** Octavia's words. */
  readonly provisioningStatus?: string;
  readonly operatingStatus?: string;
  readonly health?: LoadBalancerHealth;
  /** Machines behind the API port; `down` are the names of those that do not answer. */
  readonly members?: { readonly total?: number; readonly healthy?: number; readonly down?: readonly string[] };
  /** Of every port, the API's first; only where there are others. */
  readonly ports?: readonly PortStatus[];
  /** Only while it is being made again, or is in ERROR. */
  readonly repair?: RepairStatus;
  /** Only where addresses are probed. */
  readonly probe?: ProbeResult;
  /** Which records are published for it, and since when it has looked bad. */
  readonly dns?: { readonly addresses?: readonly string[]; readonly badSince?: string };
}

/** Since when the balancer that was there has been `Gone` from Octavia, or in `Error`. It ends when a whole one has its machines. */
export interface RepairStatus {
  readonly since?: string;
  readonly because?: "Gone" | "Error";
}

/** `Failed`: twice or more in a row. */
export type ProbeResult = "Answered" | "FailedOnce" | "Failed";

/** Machines behind one port. */
export interface PortStatus {
  readonly port: number;
  readonly protocol: string;
  readonly total: number;
  readonly healthy: number;
}

export interface ZoneLoadBalancerStatus extends LoadBalancerStatus {
  readonly availabilityZone: string;
}

/** A balancer that is to go: out of the DNS records since then, and serving until no resolver remembers it. */
export interface LeavingLoadBalancer {
  readonly id: string;
  readonly name?: string;
  readonly since?: string;
}

/** The balancer from before the zones that is kept as a fall-back: what tells it from others when its tags were cleared. */
export interface LegacyLoadBalancer {
  readonly id: string;
  readonly name?: string;
  readonly networkID?: string;
  readonly subnetID?: string;
}

/** What a condition that is Unknown now said when it was last known. */
export interface KnownCondition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly message: string;
}

export const defaultApiPort = 6443;
/** Octavia keeps them in 32 bits. */
export const maxMonitorSeconds = 2_147_483_647;

/** Octavia's tags have 255 characters, and a zone stands in one behind a word of ours. */
export const maxZoneLength = 240;
export const defaultMonitor = { delay: 10, timeout: 5, maxRetries: 5, maxRetriesDown: 3 } as const;

/** Absent means no balancer; present without a word means yes. */
export function isEnabled(block: ApiServerLoadBalancer | undefined): boolean {
  return block !== undefined && block.enabled !== false;
}

export function mappingsOf(block: ApiServerLoadBalancer | undefined): readonly AvailabilityZoneSubnet[] {
  return block?.availabilityZoneSubnets ?? [];
}
