// The Lease as a world knows it: who last took or renewed it on the server, and what others do to it.

import { leases } from "../../apis/kube/builtin-kinds.ts";
import { apiVersionOf, formatRef, type KubeObject } from "../../apis/kube/kube-object.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { Kube } from "../../ports/kube.ts";
import type { LeaseSeen } from "../checkers/checker.ts";
import { leaseSeen, type Mirror } from "../checkers/mirror.ts";
import type { SimEvents } from "../checkers/sim-events.ts";
import type { Trace } from "../run/trace.ts";
import type { SimProcess } from "./sim-process.ts";
import { leaseRef } from "./start-manager.ts";

/** As storage names it, and the Lease in it. */
export const leaseResource = "coordination.k8s.io/leases";
export const leaseKey = formatRef(leaseRef);

export class LeaseWatch {
  readonly #kube: Kube;
  readonly #mirror: Mirror;
  readonly #trace: Trace;
  /** The version of the Lease that a process last saw. */
  readonly #lastSeen = new Map<SimProcess, string>();
  #leading: string | undefined;

  constructor(kube: Kube, mirror: Mirror, trace: Trace, events: SimEvents) {
    this.#kube = kube;
    this.#mirror = mirror;
    this.#trace = trace;
    events.on("arrived", ({ call: { purpose, verb, process }, status }) => {
      if (purpose !== "lease" || verb !== "PATCH" || status >= 300) return;
      const holder = this.seen()?.holder ?? "";
      this.#leading = holder === "" ? `nobody (${process.identity} gave it back)` : holder;
    });
    events.on("replied", ({ call, version }) => {
      if (call.purpose === "lease") this.#lastSeen.set(call.process, version);
    });
  }

  /**
   * Whether storage may go back to this Lease. Not if it says that its holder gave it back, nor while a process counts on that very record,
   * having missed the later ones: the Lease would be taken beside its holder, and nothing that can be read would show it.
   */
  mayGoBackTo(lease: KubeObject | undefined): boolean {
    const version = lease?.metadata.resourceVersion;
    const now = this.#mirror.objectAt(leaseResource, leaseKey)?.metadata.resourceVersion;
    if (lease === undefined || version === now) return true;
    const counting = [...this.#lastSeen].some(([process, seen]) => process.alive && seen === version);
    return leaseSeen(lease)?.holder !== "" && !counting;
  }

  seen(): LeaseSeen | undefined {
    return leaseSeen(this.#mirror.objectAt(leaseResource, leaseKey));
  }

  /** By writes, not by what the Lease says. */
  leading(): string | undefined {
    return this.#leading;
  }

  /** As a manager leaves it that stopped with grace. */
  async leave(): Promise<void> {
    const spec = { leaseDurationSeconds: 1, leaseTransitions: 1 };
    const lease = { apiVersion: apiVersionOf(leases), kind: leases.kind, metadata: leaseRef, spec };
    await this.#kube.create(leases, lease);
  }

  async delete(): Promise<void> {
    try {
      await this.#kube.delete(leases, leaseRef);
      this.#trace.write("somebody", "deletes the Lease");
    } catch (error) {
      if (!isKubeError(error, "NotFound")) throw error;
    }
  }
}
