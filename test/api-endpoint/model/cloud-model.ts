// A small, pure world for tests of the api-endpoint planner: the modelled cloud, the object with its bookkeeping, and the machines. It
// refuses what the real services refuse, so that a planner that asks for something illegal fails its test. Time moves only in `settle`.

import { type Known, known, type Unknown } from "../../../src/core/known.ts";
import type { Plan } from "../../../src/core/plan.ts";
import { present } from "../../../src/core/present.ts";
import type { LoadBalancerStatus } from "../../../src/jobs/api-endpoint/apis/load-balancer/api-server-load-balancer.ts";
import { rememberAway } from "../../../src/jobs/api-endpoint/core/balancer/away-since.ts";
import { rememberNamed } from "../../../src/jobs/api-endpoint/core/dns/named-addresses.ts";
import { type EndpointAction, isCloudAction } from "../../../src/jobs/api-endpoint/core/model/action.ts";
import type { EndpointIntent } from "../../../src/jobs/api-endpoint/core/model/intent.ts";
import { zonesOf } from "../../../src/jobs/api-endpoint/core/model/intent.ts";
import type {
  EndpointObserved,
  MachineObserved,
  ObjectFacts,
  RecordedBalancer,
  RecordedEndpoint,
} from "../../../src/jobs/api-endpoint/core/model/observed.ts";
import { isOn } from "../../../src/jobs/api-endpoint/core/model/port.ts";
import { planEndpoint } from "../../../src/jobs/api-endpoint/core/plan.ts";
import { elsewhere } from "../../../src/jobs/api-endpoint/core/situation/location.ts";
import { standingOf, unknownFor } from "../../../src/jobs/api-endpoint/core/situation/standing.ts";
import type { Failure } from "../../../src/jobs/api-endpoint/core/status/endpoint-condition.ts";
import { knownConditions } from "../../../src/jobs/api-endpoint/core/status/last-known.ts";
import { type EndpointReport, endpointStatus } from "../../../src/jobs/api-endpoint/core/status.ts";
import { changeNeutron, isNeutronAction } from "./change-neutron.ts";
import { changeOctavia, isOctaviaAction } from "./change-octavia.ts";
import type { BalancerRow, Mutable } from "./cloud-rows.ts";
import { location, ownerId, placesOf } from "./endpoint-builders.ts";
import { must } from "./model-refusal.ts";
import { ModelledServices } from "./modelled-services.ts";
import { balancerObserved, floatingIpsObserved, rowsObserved, unseen } from "./observe-model.ts";

export class CloudModel extends ModelledServices {
  intent: EndpointIntent;
  machines: MachineObserved[] = [];
  /** Addresses at which an API server answers. */
  up = new Set<string>();
  recorded: RecordedEndpoint = { zones: [], single: undefined, networkId: undefined };
  object: Mutable<ObjectFacts> = {
    uid: ownerId,
    resourceVersion: "1",
    hasFinalizer: true,
    paused: false,
    provisioned: false,
    handOff: "none",
  };
  /** Where the credentials lead to. What is in this model is in one place. */
  location = location;
  /** Neutron does not answer: what it was asked to do it may have done, and nobody sees it. */
  neutronAway = false;
  /** Octavia does not answer: nobody sees which balancers there are. */
  octaviaAway = false;
  /** Nothing of the cloud can be asked, for this one cause. */
  unreachable: Unknown | undefined;
  problems: EndpointObserved["problems"] = [];
  /** What the engine remembers of refused steps. */
  failed = new Map();
  /** What came of probes, by balancer; undefined where nobody asks. */
  probes: EndpointObserved["probes"];
  /** What the process remembers of the DNS records; a restart loses it. */
  named: EndpointObserved["named"];
  /** The same of balancers that are away. */
  awaySince: EndpointObserved["awaySince"];
  status: EndpointReport | undefined;
  /** No status can be written. */
  statusRefused = false;
  #deletingSinceMs: number | undefined;

  constructor(intent: EndpointIntent) {
    super(placesOf(zonesOf(intent).map(({ zone }) => zone)));
    this.intent = intent;
  }

  observe(): EndpointObserved {
    const own = standingOf(this.intent, this.object);
    const strayed = own.is === "ours" ? elsewhere(this.intent, this.location) : undefined;
    const standing = strayed ?? own;
    const cloud = {
      capabilities: this.capabilities,
      places: this.places,
      balancers: this.octaviaAway
        ? unseen("load balancers: 503")
        : known(rowsObserved(this).map((row) => balancerObserved(row, this))),
      floatingIps: this.neutronAway ? unseen("floating IPs: 503") : known(floatingIpsObserved(this)),
      location: this.location,
    };
    return {
      intent: this.intent,
      recorded: this.recorded,
      standing,
      ...(standing.is !== "ours"
        ? nothingBut(unknownFor(standing))
        : this.unreachable === undefined
          ? cloud
          : nothingBut(this.unreachable)),
      machines: this.machines,
      monotonicMs: this.monotonicMs,
      object: { ...this.object, ...this.#deletion() },
      problems: this.problems ?? [],
      failed: this.failed,
      ...present({ probes: this.probes, named: this.named, awaySince: this.awaySince }),
    };
  }

  /** It began when it was observed for the first time. */
  #deletion(): Pick<ObjectFacts, "deletingSinceMs"> {
    this.#deletingSinceMs = this.intent.deleting ? (this.#deletingSinceMs ?? this.nowMs) : undefined;
    return this.#deletingSinceMs === undefined ? {} : { deletingSinceMs: this.#deletingSinceMs };
  }

  /** That a balancer is in ERROR is written to status before it is rebuilt: the engine does that in the round before. */
  plan(): Plan<EndpointAction> {
    const plan = planEndpoint(this.observe(), this.nowMs);
    const isUnwritten = plan.waits.some(({ awaitsStatus, reason }) => awaitsStatus && reason === "LoadBalancerInError");
    if (!isUnwritten || this.statusRefused) return plan;
    this.report(plan);
    return planEndpoint(this.observe(), this.nowMs);
  }

  /** The object's own actions; the cloud's are carried out by the modelled services. */
  apply(action: EndpointAction): void {
    must(
      !isCloudAction(action) || this.intent.location === this.location,
      `${action.kind} where nothing was written down`,
    );
    const record = this.intent.tagRecord?.tags ?? [];
    must(
      this.intent.tags.every((tag) => record.includes(tag) || !tagsSetBy(action).includes(tag)),
      `${action.kind} with a tag of the user's that was not written down`,
    );
    if (isOctaviaAction(action)) return changeOctavia(this.rows, action, this);
    if (isNeutronAction(action)) {
      const add = this.addFloatingIp.bind(this);
      this.floatingIps = changeNeutron(this.floatingIps, action, { intent: this.intent, add });
      return;
    }
    switch (action.kind) {
      case "create-load-balancer":
        return void this.createBalancer(action.wanted);
      case "add-finalizer":
      case "remove-finalizer":
        this.object.hasFinalizer = action.kind === "add-finalizer";
        return;
      case "claim-owner-id":
        this.intent = { ...this.intent, ownerId: action.ownerId };
        return;
      case "record-location":
        this.intent = { ...this.intent, location: action.location };
        return;
      case "record-tags":
        this.intent = { ...this.intent, tagRecord: action.record };
        return;
      case "record-clean-up":
        this.object.isCleanedUp = true;
        return;
      case "hold-secret":
      case "release-secret":
      case "set-cluster-owner":
      case "delete-endpoint":
        throw new Error(`${action.kind}: the model has neither Cluster nor Secret`);
      case "set-endpoint": {
        const { host, port } = action;
        must(["", host].includes(this.intent.endpoint?.host ?? ""), "the endpoint's host is somebody's");
        this.intent = { ...this.intent, endpoint: { host, port } };
        return;
      }
      case "hand-off-endpoint":
        this.object.handOff = "done";
        return;
      case "apply-dns-endpoint":
        this.object = { ...this.object, dnsEndpoint: { host: action.host, addresses: action.addresses } };
        return;
      case "delete-dns-endpoint":
        this.object = { ...this.object, dnsEndpoint: undefined };
    }
  }

  report(plan: Plan<EndpointAction> = this.plan(), failures: readonly Failure[] = []): void {
    const status = endpointStatus(this.observe(), { plan, failures }, this.nowMs);
    this.status = status;
    this.object.provisioned = status.provisioned;
    if (status.away !== undefined) this.awaySince = rememberAway(this.awaySince, status.away, this.monotonicMs);
    const { nowMs, monotonicMs } = this;
    this.named = rememberNamed(this.named, status, { nowMs, monotonicMs });
    const dns = new Map(status.dns.map(({ zone, memory }) => [zone, memory]));
    this.recorded = {
      zones: status.zones.map((entry) => ({
        zone: entry.availabilityZone,
        ...recordedBalancer(entry),
        dns: dns.get(entry.availabilityZone),
      })),
      single: status.single === undefined ? undefined : { ...recordedBalancer(status.single), dns: dns.get("") },
      networkId: status.network?.id,
      location: status.location,
      unansweredUntilMs: status.unansweredUntilMs,
      leaving: status.leaving ?? [],
      legacy: status.legacy,
      lastKnown: knownConditions(status.conditions, status.lastKnown),
    };
  }

  /** One round as the engine makes it; afterwards Octavia has come to rest. */
  round(): Plan<EndpointAction> {
    const plan = this.plan();
    for (const action of plan.actions) this.apply(action);
    this.report(plan);
    this.settle();
    return plan;
  }

  /** Rounds until a plan does and waits for nothing. */
  converge(most = 120): readonly EndpointAction[] {
    const done: EndpointAction[] = [];
    for (let round = 0; round < most; round += 1) {
      const plan = this.round();
      done.push(...plan.actions);
      if (plan.actions.length === 0 && plan.waits.length === 0) return done;
    }
    throw new Error(`not quiet after ${most} rounds: ${JSON.stringify(this.plan(), undefined, 1)}`);
  }

  row(name: string): BalancerRow {
    const named = this.rows.filter(({ lb, foreign }) => lb.name === name && !foreign);
    const found = named.find(({ lb }) => !lb.tags.includes("mainstay-role=fallback")) ?? named[0];
    if (found === undefined)
      throw new Error(`no balancer ${name} among ${this.rows.map(({ lb }) => lb.name).join(", ")}`);
    return found;
  }

  /** Addresses behind a port of a balancer, sorted. */
  members(name: string, port = 6443): readonly string[] {
    const { listeners, pools } = this.row(name);
    const poolId = listeners.find((listener) => listener.port === port)?.defaultPoolId;
    return (pools.find(({ id }) => id === poolId)?.members ?? []).map(({ address }) => address).toSorted();
  }

  ours(): readonly BalancerRow[] {
    return this.rows.filter(({ foreign }) => !foreign);
  }

  /** Balancers with a healthy member of a machine that exists; in ERROR one may forward traffic all the same. */
  waysIn(): number {
    const real = new Set(this.machines.flatMap(({ addresses }) => addresses));
    return this.ours().filter((row) => this.#serves(row, real)).length;
  }

  /** Published addresses at which somebody answers. */
  waysPublished(): number {
    const published = this.object.dnsEndpoint?.addresses ?? [];
    return this.ours().filter(
      (row) =>
        row.lb.adminStateUp &&
        this.#serves(row, this.up) &&
        this.floatingIps.some(({ portId, address }) => portId === row.lb.vipPortId && published.includes(address)),
    ).length;
  }

  #serves({ lb, listeners, pools }: BalancerRow, real: ReadonlySet<string>): boolean {
    if (!["ACTIVE", "PENDING_UPDATE", "ERROR"].includes(lb.provisioningStatus)) return false;
    const poolId = listeners.find((listener) => isOn(listener, this.intent.apiPort))?.defaultPoolId;
    return pools.some(
      ({ id, members }) => id === poolId && members.some(({ address }) => this.up.has(address) && real.has(address)),
    );
  }

  /** Adds a machine that answers. */
  join(...machines: readonly MachineObserved[]): void {
    this.machines.push(...machines);
    for (const { addresses } of machines) for (const address of addresses) this.up.add(address);
  }

  setDeleting(name: string): void {
    this.machines = this.machines.map((machine) => (machine.name === name ? { ...machine, deleting: true } : machine));
  }

  leave(name: string): void {
    this.machines = this.machines.filter((machine) => machine.name !== name);
  }
}

function tagsSetBy(action: EndpointAction): readonly string[] {
  const parts: readonly unknown[] = [
    action,
    ...("wanted" in action ? [action.wanted] : []),
    ...("change" in action ? [action.change] : []),
    ...("members" in action ? action.members : []),
  ];
  return parts.flatMap((part) => (part as { readonly tags?: readonly string[] }).tags ?? []);
}

function nothingBut(
  why: Known<never>,
): Pick<EndpointObserved, "capabilities" | "places" | "balancers" | "floatingIps"> {
  return { capabilities: why, places: why, balancers: why, floatingIps: why };
}

function recordedRepair({ repair }: LoadBalancerStatus): RecordedBalancer["repair"] {
  if (repair?.since === undefined || repair.because === undefined) return undefined;
  return { sinceMs: Date.parse(repair.since), because: repair.because };
}

function recordedBalancer(entry: LoadBalancerStatus): RecordedBalancer {
  const {
    id,
    name,
    ip: address,
    ipDetached,
    keptIP: keptAddress,
    internalIP: internalAddress,
    loadBalancerNetwork: place,
    probe,
  } = entry;
  return {
    id,
    name,
    address,
    internalAddress,
    provisioningStatus: entry.provisioningStatus,
    networkId: place?.id,
    subnetId: place?.subnets?.[0]?.id,
    ...(ipDetached === true ? { isAddressDetached: true } : {}),
    ...present({ probe, keptAddress, repair: recordedRepair(entry) }),
  };
}
