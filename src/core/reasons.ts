// The closed table of reasons. A reason is one word that stands in a condition, an event, a log line and a
// metric, and names the page under docs/operations/ that says what to do. Nothing outside this table is a reason.

/**
 * What the engine does with a key after this reason stopped it:
 * - `backoff`: try again by itself, later and later (the outside world may heal)
 * - `wait`: not a failure; look again after a set time or when something changes
 * - `on-change`: trying again is useless until somebody changes an object
 */
export type RetryClass = "backoff" | "wait" | "on-change";

/** `info` is news, `warning` wants a look, `error` keeps something from working. */
export type Severity = "info" | "warning" | "error";

export interface ReasonFacts {
  readonly retry: RetryClass;
  readonly severity: Severity;
  /** One sentence for people, shown in the reference and by `mainstay explain`. */
  readonly summary: string;
  /** It says how things are: where it stands among a plan's refusals, no change was wanted and refused. */
  readonly notice?: true;
}

// biome-ignore format: a table reads best as a table
const table = {
  // The Kubernetes API, as the driver reports it.
  ObjectNotFound: reason("backoff", "warning", "The API server has no such object."),
  KindNotServed: reason("wait", "warning", "The API server does not serve this kind; its CRD is absent or changed version."),
  WriteConflict: reason("backoff", "info", "Somebody else changed the object between our read and our write."),
  ObjectAlreadyExists: reason("backoff", "info", "An object of this name exists already."),
  PermissionDenied: reason("backoff", "error", "The API server forbids this to us; a role or a binding is missing."),
  NotAuthenticated: reason("backoff", "error", "The API server does not accept our credentials."),
  ObjectInvalid: reason("on-change", "error", "The API server refuses the object as invalid."),
  RequestRejected: reason("on-change", "error", "The API server refuses the request as malformed or unsupported."),
  ResourceVersionExpired: reason("backoff", "info", "The history from this resource version is gone; a fresh list is needed."),
  ApiRateLimited: reason("backoff", "warning", "The API server asks us to slow down."),
  ApiTimeout: reason("backoff", "warning", "The API server did not answer in time; the request may or may not have had its effect."),
  ApiUnreachable: reason("backoff", "error", "No connection to the API server."),
  ApiServerError: reason("backoff", "warning", "The API server answered with an error of its own."),
  // OpenStack, as the driver reports it.
  OpenStackObjectNotFound: reason("backoff", "warning", "The cloud has no such object."),
  OpenStackConflict: reason("backoff", "info", "The cloud is still busy with this object, or it exists already."),
  OpenStackRequestRejected: reason("backoff", "error", "The cloud refuses the request as invalid."),
  OpenStackNotAuthenticated: reason("backoff", "error", "Keystone does not accept the credentials, or they carry no project."),
  OpenStackForbidden: reason("backoff", "error", "The cloud's policy forbids this to our user."),
  OpenStackQuotaExceeded: reason("backoff", "error", "A quota of the project is used up."),
  OpenStackUnsupported: reason("backoff", "warning", "The balancer's provider cannot do this."),
  OpenStackRateLimited: reason("backoff", "warning", "The cloud asks us to slow down."),
  OpenStackTimeout: reason("backoff", "warning", "The cloud did not answer in time; the change may or may not have had its effect."),
  OpenStackUnreachable: reason("backoff", "error", "No connection to the cloud."),
  OpenStackServerError: reason("backoff", "warning", "The cloud answered with an error of its own."),
  OpenStackServiceMissing: reason("backoff", "error", "The cloud's catalogue has no such service in this region."),
  // The api-endpoint job's own bookkeeping.
  CredentialsUnusable: reason("backoff", "error", "The identityRef does not lead to credentials that can be used."),
  EndpointPaused: notice("on-change", "info", "The cluster is paused: nothing is asked of the cloud and nothing is changed."),
  EndpointUnclaimed: reason("backoff", "info", "The object does not bear our finalizer and owner id yet; they come before everything else."),
  EndpointSetByUser: reason("backoff", "info", "The control plane endpoint is set already and is never overwritten."),
  DnsEndpointForeign: reason("on-change", "warning", "A DNSEndpoint of this name belongs to somebody else; it is left alone."),
  // The engine.
  LeadershipLost: reason("backoff", "warning", "This manager no longer leads, so it writes nothing."),
  ReconcileDeadlineExceeded: reason("backoff", "error", "Reconciling this key took longer than it may."),
  InvariantViolated: reason("on-change", "error", "A promise inside Mainstay was broken; the key is isolated until its objects change."),
  UnexpectedError: reason("backoff", "error", "Something failed that Mainstay has no word for."),
  DryRun: reason("on-change", "info", "The guard dry-run is on: the change is shown and not made."),
  DeletesForbidden: reason("on-change", "warning", "The guard no-deletes is on: a removal was planned and not made."),
  TooManyRemovals: reason("on-change", "error", "More removals were planned at once than the guard max-removals allows."),
  ConfigurationInvalid: reason("on-change", "error", "The configuration has problems; all of them are listed."),
  // Topology.
  AsExpected: reason("on-change", "info", "Nothing to say: this is how it should be."),
  InputInvalid: reason("on-change", "error", "What was given to the command has problems; all of them are listed."),
  ForeignDefinition: reason("on-change", "warning", "A definition of this name exists and does not bear our mark; it is left alone."),
  TopologyEmpty: reason("backoff", "info", "A topology field is empty and is filled from what was declared."),
  TopologyUndeclared: reason("on-change", "info", "A topology field is empty and nothing was declared; consumers read HighlyAvailable."),
  TopologyPublished: reason("on-change", "info", "Both topology fields hold a value."),
  TopologyAlreadySet: reason("on-change", "warning", "A topology field was set before to another value than the declared one; it is left alone."),
  TopologyEdited: reason("on-change", "warning", "Somebody changed a topology field after it was published; it is not reverted."),
  TopologyDrift: reason("on-change", "warning", "The published topology does not fit what the cluster looks like; it is not changed."),
  TopologyImmutable: reason("on-change", "warning", "Another topology was requested, but the feature gate MutableTopology is off."),
  TopologyUnknownValue: reason("on-change", "warning", "A topology field holds a value that this version does not know; it is neither copied nor changed."),
  TopologyFieldsUnsupported: reason("on-change", "error", "The cluster's definition of Infrastructure has no topology fields, so they cannot be published."),
  TopologySourceInvalid: reason("on-change", "error", "The declaration the topology is derived from cannot be understood."),
  TopologyReportMissing: reason("backoff", "info", "The TopologyReport of the cluster does not exist yet."),
  TopologyReportOrphaned: reason("backoff", "info", "A TopologyReport outlived the Infrastructure object it speaks of."),
  TransitionRequested: reason("backoff", "info", "Another topology was requested, and nothing stands in its way."),
  TransitionComplete: reason("on-change", "info", "The requested topology is published."),
  TransitionUnsupported: reason("on-change", "error", "No way leads from the published topology to the requested one."),
  TransitionPreconditionFailed: reason("wait", "warning", "Another topology was requested, but the cluster is not ready for it."),
  ClusterVersionProgressing: reason("wait", "info", "An upgrade of the cluster is under way; a requested topology waits for its end."),
  ClusterVersionUnknown: reason("wait", "warning", "Whether an upgrade is under way cannot be told; a requested topology waits."),
  // api-endpoint: load balancers of the API on OpenStack.
  FinalizerMissing: reason("backoff", "info", "Our finalizer is put on the object before anything is made for it."),
  OwnerUnclaimed: reason("backoff", "info", "The object gets its owner id before anything is made for it."),
  ProjectUnrecorded: reason("backoff", "info", "Which cloud project and region everything is in is written to the object first."),
  LoadBalancerMissing: reason("backoff", "info", "A wanted balancer does not exist and is made."),
  LoadBalancerDrifted: reason("backoff", "info", "Name, description or tags of a balancer are put right."),
  LegacyMigrated: reason("backoff", "info", "The legacy balancer becomes the balancer of a zone."),
  ZonesDisabled: reason("backoff", "info", "Zones were switched off: one balancer is kept, the others go."),
  ListenerMissing: reason("backoff", "info", "A port has no listener, and it is made."),
  ListenerDrifted: reason("backoff", "info", "A listener's name, tags, access list, timeouts or connection limit are put right."),
  PoolMissing: reason("backoff", "info", "A listener has no pool, and it is made."),
  PoolDrifted: reason("backoff", "info", "A pool's name, tags or way of spreading are put right, or one that speaks no TCP is made again."),
  PoolForgotten: reason("backoff", "info", "A pool stayed PENDING below an ACTIVE balancer, and is woken by a change of its own."),
  MonitorMissing: reason("backoff", "info", "A pool has no health monitor, and it is made."),
  MonitorDrifted: reason("backoff", "info", "A monitor's name, tags or timings are put right, or one of another type is made again."),
  MembersMissing: reason("backoff", "info", "Machines are put behind a balancer, get their names there, or are no longer drained."),
  MemberStale: reason("backoff", "info", "A member leaves a pool that it no longer belongs to."),
  PortRemoved: reason("backoff", "info", "A port is no longer asked for: its listener and pool are deleted."),
  FloatingIpMissing: reason("backoff", "info", "A balancer has no floating IP, and one is made on its port."),
  FloatingIpDetached: reason("backoff", "info", "A floating IP that belongs to a balancer is attached to it."),
  FloatingIpUnmarked: reason("backoff", "info", "A floating IP of ours gets its tags."),
  FloatingIpUnwanted: reason("backoff", "info", "A floating IP that we made is no longer needed and is deleted."),
  FloatingIpInUse: reason("wait", "warning", "A floating IP that is wanted here, or that is ours to delete, is attached elsewhere; it is not taken from there."),
  FloatingIpSkipped: notice("on-change", "warning", "The VIP is IPv6, and IPv6 has no floating IPs."),
  ZoneRemoved: reason("backoff", "info", "A zone left the mapping: its balancer is deleted."),
  LoadBalancerDuplicate: reason("backoff", "info", "A balancer exists twice; the newer one goes."),
  LoadBalancerUnwanted: reason("backoff", "info", "Balancers were switched off: they are deleted."),
  LegacyRemovalAgreed: reason("backoff", "info", "The legacy balancer goes, as agreed."),
  EndpointDeleted: reason("backoff", "info", "The object is being deleted: everything made for it goes."),
  EndpointMissing: reason("backoff", "info", "The cluster has no endpoint yet, or no port in it."),
  GateClosed: reason("backoff", "info", "The OpenStackCluster waits for its endpoint, and now gets it."),
  DnsRecordsChanged: reason("backoff", "info", "The addresses of the endpoint's DNS name change."),
  DnsUnwanted: reason("backoff", "info", "The DNSEndpoint is no longer asked for and is deleted."),
  LoadBalancerPending: reason("wait", "info", "Octavia is busy with a balancer; it cannot be changed until that is done."),
  LoadBalancerStuck: reason("wait", "warning", "Octavia has been busy with a balancer for more than a quarter of an hour."),
  LoadBalancerLeaving: reason("wait", "info", "A balancer that is to go has left the DNS records, and serves until no resolver remembers it."),
  LoadBalancerUnanswered: reason("wait", "info", "The object is being deleted, and a balancer that was asked for and never seen may still appear."),
  PlaceUnrecorded: reason("wait", "info", "Where a balancer goes is written to status before it is made."),
  MachinesRemain: reason("wait", "info", "The object is being deleted, and its control-plane machines are still there."),
  EndpointNotReady: reason("wait", "info", "The endpoint is not whole yet."),
  ZoneLeavingDns: reason("wait", "info", "A zone has no healthy members; it leaves the records if that lasts."),
  LoadBalancerInError: reason("wait", "error", "A balancer is in ERROR."),
  FailoverUnavailable: reason("backoff", "info", "The cloud does not let us fail a balancer over; it is made again instead, where that is safe."),
  LastHealthyEndpoint: reason("wait", "warning", "Something is to be removed that is the last healthy way in; it stays."),
  LastLoadBalancerKept: reason("on-change", "warning", "Balancers are switched off, and the last one that lets people in is kept until its removal is agreed."),
  ForeignLoadBalancer: notice("on-change", "warning", "A balancer bears our name and not our mark; it is left alone."),
  LegacyLoadBalancerPresent: notice("on-change", "warning", "The balancer from before the zones is still there, as a fall-back with all machines."),
  ClusterNotFound: reason("wait", "warning", "The object names a Cluster that is not there; nothing is made or changed for it."),
  OwnerIdTaken: reason("on-change", "error", "The object is a copy that bears another one's owner id; nothing is done for it."),
  ProjectChanged: reason("wait", "error", "The credentials lead to another cloud project or region than the one that the object's balancers are in; nothing is made, changed or deleted."),
  ForeignFinalizer: notice("on-change", "warning", "The object is being deleted, Mainstay is done with it, and somebody else's finalizer holds it."),
  EndpointSpecInvalid: reason("on-change", "error", "The object asks for something that cannot be; nothing is made or removed for it."),
  EndpointNotDnsName: reason("on-change", "error", "Zones need a DNS name as endpoint, and the cluster has another."),
  EndpointUndetermined: reason("on-change", "error", "There is neither a balancer nor an address to make an endpoint of."),
  NetworkUnresolved: reason("wait", "error", "The network of the balancers leads nowhere, or to more than one."),
  SubnetUnresolved: reason("wait", "error", "The subnet of a zone leads nowhere, or to more than one."),
  NodePlaceUnresolved: reason("wait", "error", "The network or a subnet of the machines leads nowhere, or to more than one; access lists stay as they are."),
  SubnetNotInNetwork: reason("wait", "error", "The subnet of a zone is not in the balancers' network."),
  SubnetDuplicate: reason("wait", "error", "Two zones lead to one subnet."),
  SubnetMoved: reason("on-change", "warning", "A mapping now leads to another subnet than its balancer is in; the address stays."),
  ExternalNetworkUnresolved: reason("wait", "error", "A floating IP is wanted, and there is no external network to take it from."),
  ZoneHintIgnored: notice("on-change", "warning", "The balancer is not in the Octavia availability zone that the mapping names."),
  ProviderNotFound: notice("on-change", "warning", "The cloud has no such Octavia provider; its default is used."),
  FlavorNotFound: notice("on-change", "warning", "The cloud has no such enabled Octavia flavor; the default is used."),
  AllowedCidrsUnsupported: notice("on-change", "warning", "The provider has no access lists; everybody may connect."),
  TagIgnored: notice("on-change", "warning", "A tag that the cloud would refuse is put on nothing."),
  AllowedCidrIgnored: notice("on-change", "warning", "An entry of `allowedCIDRs` is not used."),
  NodeNetworkUnnamed: notice("on-change", "warning", "There is an access list, and nothing says where the machines are; of their places the balancers' own network is let in."),
  MonitorUnsupported: notice("on-change", "warning", "The provider has no health monitors; every member counts as healthy."),
  FixedIpIgnored: notice("on-change", "warning", "`apiServerFixedIP` is not in the first zone's subnet; an address is chosen."),
  MachineZoneUnmapped: notice("on-change", "warning", "A control-plane machine is in a zone without a mapping, so it is behind no zone's balancer."),
  MemberAddressUnknown: notice("on-change", "warning", "A machine has no address that could stand behind the balancer."),
  MachineWithoutAddress: reason("wait", "info", "A machine has no address yet, so it stands behind no balancer."),
  ForeignMember: notice("on-change", "warning", "A pool of ours has a member that we did not put there; it stays."),
  MembersUnhealthy: notice("wait", "warning", "Members of a balancer do not answer."),
  ZoneWithoutMembers: notice("wait", "warning", "No machine stands behind a balancer."),
  PortTaken: reason("wait", "error", "A port of the balancer cannot be used: a listener or pool that is not ours has it, or a monitor that is not ours is in the way."),
  // end of api-endpoint
} as const satisfies Record<string, ReasonFacts>;

export type Reason = keyof typeof table;

export const reasons: Readonly<Record<Reason, ReasonFacts>> = table;

/** The runbook page of a reason, relative to the repository. */
export function runbookPage(name: Reason): string {
  return `docs/operations/${name}.md`;
}

function reason(retry: RetryClass, severity: Severity, summary: string): ReasonFacts {
  return { retry, severity, summary };
}

function notice(retry: RetryClass, severity: Severity, summary: string): ReasonFacts {
  return { ...reason(retry, severity, summary), notice: true };
}
