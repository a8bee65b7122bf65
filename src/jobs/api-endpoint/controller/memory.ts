// Everything that is remembered of clouds from one round to the next, so that a quiet cluster costs few calls and nothing is asked for
// again that was refused. Nobody outside knows of how many parts it is made: an object is observed, sent for, or forgotten.

import { formatRef, type ObjectRef } from "../../../apis/kube/kube-object.ts";
import { isOpenStackError } from "../../../core/openstack/openstack-error.ts";
import type { Asking } from "../../../engine/round/questions.ts";
import type { CloudCallOptions, OpenStackProject } from "../../../ports/openstack.ts";
import type { EndpointIntent } from "../core/model/intent.ts";
import type { CloudAction, CloudAnswer } from "../core/model/lessons.ts";
import type { RecordedEndpoint } from "../core/model/observed.ts";
import type { Addressed } from "./addressed.ts";
import { CapabilityCache } from "./cloud/capability-cache.ts";
import { ComputeZones } from "./cloud/compute-zones.ts";
import { FailoverMemory } from "./cloud/failover-memory.ts";
import { ObservedFloatingIps } from "./cloud/floating-ips/observed-floating-ips.ts";
import { type CloudView, type ObservedBefore, observeCloud } from "./cloud/observe-cloud.ts";
import { ObservedBalancers } from "./cloud/observed-balancers.ts";
import { defaultObserveAgainMs } from "./cloud/pace.ts";
import { PendingMemory } from "./cloud/pending-memory.ts";
import { PlacesCache } from "./cloud/places-cache.ts";
import { refusedLogins, refusedReads, withRefusals } from "./cloud/refused-reads.ts";
import { ServerZones } from "./cloud/server-zones.ts";
import { type Session, Sessions } from "./cloud/sessions.ts";
import { silentClouds, withSilence } from "./cloud/silent-clouds.ts";
import { ClusterKeys } from "./cluster-keys.ts";
import type { ZoneOfServer } from "./observe-machines.ts";

export interface CloudObservation extends Asking {
  readonly intent: EndpointIntent;
  readonly recorded: RecordedEndpoint;
  readonly session: Session;
  /** See observe-at-rest.ts. */
  readonly isAtRest: boolean;
  /** See core/removal/fresh-health.ts. */
  readonly readAgain?: ReadonlySet<string>;
  readonly call: CloudCallOptions;
  /** Of what the cloud is asked with: the object and its credentials. */
  readonly version: string;
}

type ServerObservation = Omit<CloudObservation, "recorded" | "isAtRest" | "readAgain">;

export class CloudMemory {
  /** Shared by all objects with the same credentials. */
  readonly logins = { refused: refusedLogins(), silent: silentClouds("keystone") };
  /** Not of clouds, and forgotten with its object all the same. */
  readonly clusterKeys = new ClusterKeys();
  readonly #sessions = new Sessions();
  readonly #serverZones = new ServerZones();
  readonly #refused = refusedReads();
  readonly #silent = silentClouds("octavia");
  readonly #observed: ObservedBefore;

  constructor(observeAgainMs: number = defaultObserveAgainMs) {
    this.#observed = {
      capabilities: new CapabilityCache(),
      places: new PlacesCache(),
      balancers: new ObservedBalancers({ observeAgainMs }),
      failovers: new FailoverMemory(),
      pending: new PendingMemory(),
      floatingIps: new ObservedFloatingIps({ observeAgainMs }),
      computeZones: new ComputeZones(),
    };
  }

  /** What the cloud has for an object; what cannot have changed since it was last observed is not asked for. */
  async observe({ session, version, ...observation }: CloudObservation): Promise<CloudView> {
    const { monotonicMs, intent, call } = observation;
    this.#sessions.remember(intent.object, session);
    const { endpointKey, sharingKey } = session;
    const key = formatRef(intent.object);
    const { octavia, neutron, nova } = session.project;
    const asking = withSilence(octavia, this.#silent, { service: endpointKey, monotonicMs, signal: call.signal });
    const readers = withRefusals({ octavia: asking, neutron, nova }, this.#refused, { key, version, monotonicMs });
    const project = { ...readers, timeMs: () => session.project.timeMs() };
    return await observeCloud({ ...observation, key, version, project, endpointKey, sharingKey }, this.#observed);
  }

  /** For the same observation. */
  zoneOfServer({ intent, session, version, monotonicMs, call, inTime }: ServerObservation): ZoneOfServer {
    const key = formatRef(intent.object);
    const { nova } = withRefusals(session.project, this.#refused, { key, version, monotonicMs });
    return this.#serverZones.of(key, nova, call, inTime);
  }

  /** Sends one change to the cloud that the action's object was observed in, and learns from the answer. */
  async send(
    action: Addressed<CloudAction>,
    request: (project: OpenStackProject) => Promise<CloudAnswer | undefined>,
  ): Promise<void> {
    const { project, endpointKey, sharingKey } = this.#sessions.of(action.object);
    const key = formatRef(action.object);
    const sent = { key, credentials: sharingKey, action };
    const { capabilities, balancers, failovers, floatingIps } = this.#observed;
    if (action.kind === "failover-load-balancer") failovers.tried(key, action.id);
    this.#changed(key, action);
    try {
      capabilities.learn(endpointKey, sent, (await request(project)) ?? "done");
    } catch (error) {
      if (isOpenStackError(error)) capabilities.learn(endpointKey, sent, error.code);
      if (action.kind === "create-floating-ip" && mayHaveTakenEffect(error)) floatingIps.createUnanswered(key);
      // What is refused has changed without a trace: that a pool is in ERROR stands nowhere but in its own row.
      if (isOpenStackError(error, "Conflict", "NotFound")) balancers.distrust(key);
      throw error;
    } finally {
      // It may have been observed meanwhile, before it took effect.
      this.#changed(key, action);
    }
  }

  /** By us: what was observed there is from before it, so the next observation asks, however soon it comes. */
  #changed(key: string, action: CloudAction): void {
    const { floatingIps, balancers, pending } = this.#observed;
    if (action.kind.endsWith("floating-ip")) return floatingIps.changed(key);
    balancers.changed(key, action);
    pending.changed(key);
  }

  /** What was asked and is not answered yet is not waited for. */
  stopAsking(object: ObjectRef): void {
    const { places, balancers, floatingIps } = this.#observed;
    for (const part of [places, balancers, floatingIps]) part.stopAsking(formatRef(object));
  }

  /** The object is gone. */
  forget(object: ObjectRef): void {
    const key = formatRef(object);
    const { capabilities, places, balancers, failovers, pending, floatingIps } = this.#observed;
    this.clusterKeys.forget(object);
    this.#sessions.forget(object);
    this.#serverZones.forget(key);
    this.#refused.forget(`${key} `);
    for (const part of [capabilities, places, balancers, failovers, pending, floatingIps]) part.forget(key);
  }
}

function mayHaveTakenEffect(error: unknown): boolean {
  return isOpenStackError(error, "Timeout", "Unreachable", "ServerError");
}
