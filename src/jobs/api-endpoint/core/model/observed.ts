// Everything the planner may know. Each part that comes from the cloud is Known or not by itself, so that one blind zone, or a Neutron
// that is away, stops only what needs it. The controller fills it (controller/observe.ts); tests build it by hand.

import type { OwnerReference } from "../../../../apis/kube/kube-object.ts";
import type { Problem } from "../../../../apis/text/problem.ts";
import type { Moment, MonotonicMs, WallMs } from "../../../../core/clock-times.ts";
import type { Known, Unknown } from "../../../../core/known.ts";
import type { FlavorId, LoadBalancerId, NetworkId, PoolId, SubnetId } from "../../../../core/openstack/ids.ts";
import type { FloatingIp, Network, Subnet } from "../../../../core/openstack/neutron-objects.ts";
import type {
  HealthMonitor,
  Listener,
  LoadBalancer,
  Member,
  Pool,
  StatusTree,
} from "../../../../core/openstack/octavia-objects.ts";
import type { KnownCondition, ProbeResult } from "../../apis/load-balancer/api-server-load-balancer.ts";
import type { Standing } from "../situation/standing.ts";
import type { EndpointAction } from "./action.ts";
import type { EndpointIntent } from "./intent.ts";
import type { ProviderFeature } from "./provider-features.ts";

export interface EndpointObserved {
  readonly intent: EndpointIntent;
  /** Whether the object is ours to act for; while it is not, nothing in the cloud is known. */
  readonly standing: Standing;
  readonly recorded: RecordedEndpoint;
  readonly capabilities: Known<Capabilities>;
  readonly places: Known<Places>;
  /** Ours by tag, and those that bear the legacy or a zone's name without our tag. */
  readonly balancers: Known<readonly BalancerObserved[]>;
  /** On a VIP of the balancers above, or bearing our description, or the address the user asked for. */
  readonly floatingIps: Known<readonly FloatingIp[]>;
  readonly machines: readonly MachineObserved[];
  /** When it was observed: all ages of what this process remembers are counted from here. */
  readonly monotonicMs: MonotonicMs;
  /** What the cloud's own clock shows; absent where its answers do not tell. */
  readonly cloudNowMs?: number;
  /** Where the object's credentials lead to now, when there are balancers to be had. */
  readonly location?: string;
  readonly object: ObjectFacts;
  /** Absent where the object's credentials are not in a Secret beside it. */
  readonly credentials?: CredentialsObserved;
  /** What is wrong with the object itself: with any, nothing is made or taken away, and members are kept up to date. */
  readonly problems?: readonly Problem[];
  /** What was tried and failed, and has not succeeded since, or was done and did not help: by `backoffKey`, with the time until it may be tried again. */
  readonly failed?: ReadonlyMap<string, number>;
  /** Changes of earlier rounds that have not been answered yet: each may take effect at any time, or has done so already. */
  readonly underWay?: readonly EndpointAction[];
  /** What came of asking the addresses of balancers, by balancer; absent where nobody asks. */
  readonly probes?: ReadonlyMap<LoadBalancerId, ProbeObserved>;
  /** The memory of dns-records.ts as this process has it, where status does not show it yet, or cannot be written. */
  readonly dnsMemory?: readonly RecordedZoneDns[];
  /** Since when a removal has waited until others are read again; absent where none does. See fresh-health.ts. */
  readonly healthAwaitedSince?: MonotonicMs;
  /** Which addresses the DNS records named, as this process has seen it; absent at its first look. */
  readonly named?: NamedBefore;
  /** Balancers that are away, by name, as this process has seen it: the memory of away-since.ts. */
  readonly awaySince?: ReadonlyMap<string, AwaySince>;
  /** For how long the object has been going, as this process counts it: its stamp is the API server's, whose clock may be hours from ours. */
  readonly deletingForMs?: number;
  /** Zones that Nova calls available; unknown where there is no compute service that we can see. */
  readonly computeZones?: Known<readonly string[]>;
}

/** The Secret beside the object that its credentials are in: see core/credentials/held-secret.ts. */
export interface CredentialsObserved {
  /** As the object names it now. */
  readonly name: string;
  /** As the annotation remembers it. */
  readonly held: string | undefined;
  /** Secrets of these that other objects of ours use, too. */
  readonly shared: readonly string[];
  /** As it was read; absent when nobody asked for it, or it is gone. */
  readonly secret?: {
    readonly hasFinalizer: boolean;
    readonly deleting: boolean;
    /** Its namespace is not being deleted: known only of one that is being deleted itself. */
    readonly isNamespaceStaying: boolean;
  };
}

/** The latest probes of one balancer. */
export interface ProbeObserved {
  /** 0: it answered. */
  readonly failuresInARow: number;
}

/** The Kubernetes object's own bookkeeping. */
export interface ObjectFacts {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly hasFinalizer: boolean;
  /** Finalizers of others: the object stays as long as one is there. */
  readonly foreignFinalizers?: readonly string[];
  /** By the API server's clock; absent while it is not being deleted. */
  readonly deletingSinceMs?: number;
  /** Since when status says that balancers are not ready, by our clock at that time; absent while they are. */
  readonly notReadySinceMs?: number;
  readonly paused: boolean;
  /** What paused it, in words, for people. */
  readonly pausedBy?: readonly string[];
  /** Nothing of it is left in the cloud, and that is written down. */
  readonly isCleanedUp?: boolean;
  /** clusterctl, or somebody like it, deletes it here because it moved to another management cluster. */
  readonly isMoved?: boolean;
  /** Provisioned was reported before: a broken zone only degrades from then on. */
  readonly provisioned: boolean;
  /** APIEndpoint door; absent while there is no Cluster. */
  readonly bond?: ClusterBond;
  /** APIEndpoint door, asked to hand its endpoint to CAPO: whether the OpenStackCluster still waits for it. */
  readonly handOff: "none" | "waiting" | "done";
  /** The DNSEndpoint that we keep for this object, as it is now. */
  readonly dnsEndpoint?: PublishedDns | undefined;
  /** The DNSEndpoint of the name that ours would have, without our mark: somebody else's, or one that lost it. It is never changed. */
  readonly foreignDnsEndpoint?: Pick<PublishedDns, "addresses">;
  /** Nobody can tell whether there is a DNSEndpoint of that name, and what it says: neither of the two above is known. */
  readonly unreadDns?: Unknown;
}

export interface PublishedDns {
  readonly host: string;
  readonly addresses: readonly string[];
}

/** How an APIEndpoint hangs together with its Cluster. */
export interface ClusterBond {
  /** An owner reference to it. */
  readonly reference: OwnerReference;
  /** Whether the owner references of the object are as they should be. */
  readonly isReferenced: boolean;
  /** The user wants the object to stay when the Cluster goes. */
  readonly isOutlived: boolean;
  readonly isClusterDeleting: boolean;
}

/** What an earlier round wrote to status: remembered decisions that must not move by themselves. */
export interface RecordedEndpoint {
  readonly zones: readonly RecordedZone[];
  /** Of `status.apiServerLoadBalancer`: in single mode the balancer itself. */
  readonly single: RecordedBalancer | undefined;
  readonly networkId: NetworkId | undefined;
  /** So long a balancer that is not among these any more may still come: late-creates.ts. */
  readonly unansweredUntilMs?: number | undefined;
  /** Where all of this is. */
  readonly location?: string | undefined;
  /** The memory of leaving.ts. */
  readonly leaving?: readonly RecordedLeaving[];
  /** The fall-back from before the zones. */
  readonly legacy?: RecordedLegacy | undefined;
  /** What each condition said when it was last known: last-known.ts. */
  readonly lastKnown?: readonly KnownCondition[];
}

/** A balancer that is to go, and since when no record has named it. */
export interface RecordedLeaving {
  readonly id: LoadBalancerId;
  readonly name: string;
  readonly sinceMs: WallMs;
}

/** What says whose the fall-back is when its tags were cleared. */
export type RecordedLegacy = Pick<RecordedBalancer, "name" | "networkId" | "subnetId"> & {
  readonly id: LoadBalancerId;
};

export interface RecordedBalancer {
  readonly id: LoadBalancerId | undefined;
  readonly name: string | undefined;
  readonly address: string | undefined;
  /** It was not on the balancer of this id: it is kept for its return. */
  readonly isAddressDetached?: boolean;
  /** While floating IPs are switched off: the one that went off with an earlier balancer of this entry (floating-ips/left-behind.ts). */
  readonly keptAddress?: string;
  readonly internalAddress: string | undefined;
  readonly networkId: NetworkId | undefined;
  readonly subnetId: SubnetId | undefined;
  readonly provisioningStatus?: string | undefined;
  readonly dns?: RecordedDns | undefined;
  readonly repair?: RecordedRepair | undefined;
  /** What came of the latest probe that was written down. */
  readonly probe?: ProbeResult;
}

/** The memory of lost-balancer.ts: since when the balancer that was there is gone, or in ERROR. */
export interface RecordedRepair {
  readonly sinceMs: number;
  readonly because: "Gone" | "Error";
}

/** The memory of dns-records.ts, kept in status beside the balancer it speaks of. */
export interface RecordedDns {
  /** Published for this zone; empty: left out. */
  readonly addresses: readonly string[];
  /** Since when it has been bad without a break. */
  readonly badSinceMs: WallMs | undefined;
}

/** `zone` is empty for the single balancer. */
export interface RecordedZoneDns {
  readonly zone: string;
  readonly memory: RecordedDns;
}

export interface AwaySince {
  readonly sinceMs: MonotonicMs;
  /** By us, to be repaired. */
  readonly wasTakenDown: boolean;
}

/** The memory of named-addresses.ts, of one process. */
export interface NamedBefore {
  readonly watchedSince: Moment;
  /** At the latest look. */
  readonly latest: readonly string[];
  /** Of those, what the DNSEndpoint that we keep named at the latest look, and since when nothing else. */
  readonly published: { readonly addresses: readonly string[]; readonly since: Moment };
  /** Dropped since then, by address; without those that nobody can remember any more. */
  readonly outSince: ReadonlyMap<string, Moment>;
  /** At the latest look, by balancer: as in status, which may not keep it. */
  readonly leavingSince: ReadonlyMap<LoadBalancerId, Moment>;
}

export interface RecordedZone extends RecordedBalancer {
  readonly zone: string;
}

export interface Capabilities {
  readonly version: readonly [number, number];
  readonly providers: readonly string[];
  /** Enabled ones. */
  readonly availabilityZones: readonly string[];
  readonly flavors: readonly { readonly id: FlavorId; readonly name: string; readonly enabled: boolean }[];
  /** What a provider refused, learnt by trying. */
  readonly refused: readonly ProviderRefusal[];
}

export interface ProviderRefusal {
  /** Empty when the request named none. */
  readonly provider: string;
  readonly feature: ProviderFeature;
  /** Of `availability-zone`: this one alone, although Octavia lists it. Absent: all. */
  readonly zone?: string;
}

/** What selectors lead to. A selector that leads nowhere is a problem of its own and stops only its zone. */
export interface Places {
  readonly network: Found<Network> | undefined;
  /** By zone, of every mapping. */
  readonly zoneSubnets: ReadonlyMap<string, Found<Subnet>>;
  /** Of the single balancer. */
  readonly singleSubnet: Found<Subnet> | undefined;
  readonly clusterNetwork: Found<Network> | undefined;
  /** Where machines live, as the object says it and as far as it is found: for member addresses and access lists. */
  readonly clusterSubnets: readonly Subnet[];
  /** What else of the cluster's places could not be found or read, in words: node-places.ts says what follows from it. */
  readonly clusterUnresolved: readonly string[];
  /** All subnets of the cluster's networks and of the balancers': a member's own is found among them. The cluster's come first. */
  readonly knownSubnets: readonly Subnet[];
  readonly externalNetwork: Found<Network> | undefined;
  /** External addresses of the cluster's routers: workers appear behind them. Where no network is named, those of the balancers'. */
  readonly routerAddresses: readonly string[];
  /** Of a bastion, when the cluster has one: it must stay able to reach the API. Beside CAPO its own object names it. */
  readonly bastionAddresses?: readonly string[];
}

export type Found<T> =
  | { readonly found: "one"; readonly value: T }
  | { readonly found: "none" | "many"; readonly message: string };

export interface BalancerObserved {
  readonly balancer: LoadBalancer;
  readonly listeners: readonly Listener[];
  readonly monitors: readonly HealthMonitor[];
  /** Those with our tag; undefined while nobody has asked, since they show what the tree does not and change rarely. */
  readonly pools?: readonly Pool[];
  /** By pool; undefined but while the user's tags change: the tree shows all but tags, weight and admin state. */
  readonly members?: ReadonlyMap<PoolId, readonly Member[]>;
  /** Unknown when what is below this balancer could not be read: its lane stops. */
  readonly tree: Known<StatusTree>;
  /** It is no newer than this, and may be an hour old; absent: nobody knows. */
  readonly treeAskedMs?: MonotonicMs;
  /** A failover was asked for since it was last seen ACTIVE: it did not help, and is not asked for again. */
  readonly failoverTried?: boolean;
  /** Seen PENDING on most looks for so long, whoever touches it meanwhile, without a change of ours. */
  readonly pendingForMs?: number;
}

/** A control-plane machine of the cluster. */
export interface MachineObserved {
  /** Of the infrastructure machine: members are named after it. */
  readonly name: string;
  /** From failure domain, infrastructure machine or Nova; undefined when nothing says. */
  readonly zone: string | undefined;
  readonly addresses: readonly string[];
  /** Its deletion has begun: it leaves every pool. */
  readonly deleting: boolean;
}
