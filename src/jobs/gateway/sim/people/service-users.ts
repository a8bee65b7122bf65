// What people do with Services: they come, change and go, marks are stripped by `kubectl replace`, the status is edited. What is wanted in the
// end is remembered, and insisted on.

import { ignoreRefusal } from "../../../../sim/run/ignore-refusal.ts";
import { chance, pick } from "../../../../sim/time/derive-seed.ts";
import { addressRecord } from "../../apis/annotations.ts";
import { serviceKind } from "../../controller/observe.ts";
import type { IngressEntry } from "../../core/model/actions.ts";
import { serviceFinalizer } from "../../core/services/service-standing.ts";
import { foreignIngress } from "../gateway-objects.ts";
import { carriedAddress, excuse, type GatewaySim, later, serviceAt } from "../gateway-sim.ts";
import {
  type DesiredService,
  drawEndpoints,
  drawPorts,
  firstDesired,
  keyOf,
  type ServicePlace,
} from "./desired-service.ts";
import { PoolAdministrators } from "./pool-administrators.ts";
import { ServiceWriter } from "./service-writer.ts";

export class ServiceUsers {
  readonly #sim: GatewaySim;
  readonly #writer: ServiceWriter;
  readonly #administrators: PoolAdministrators;
  readonly desired = new Map<ServicePlace, DesiredService>();

  constructor(sim: GatewaySim) {
    this.#sim = sim;
    this.#writer = new ServiceWriter(sim, (place) => this.#desiredOf(place));
    this.#administrators = new PoolAdministrators(sim);
    const { random } = sim.world;
    for (const place of placesOf(sim)) {
      const isFirst = place.isForeign === true || place.bad !== undefined || chance(random, 0.6);
      this.desired.set(place, firstDesired(random, isFirst));
    }
  }

  async begin(): Promise<void> {
    await this.#administrators.makePool();
    for (const place of this.desired.keys()) await this.#writer.make(place);
  }

  async act(): Promise<void> {
    const { random } = this.#sim.world;
    const changeable = [...this.desired.keys()].filter(({ isForeign, bad }) => isForeign !== true && bad === undefined);
    const place = pick(random, changeable);
    if (place === undefined) return;
    const wanted = this.#desiredOf(place);
    const choice = random.next();
    if (choice < 0.25) return this.#want(place, { ...wanted, present: !wanted.present });
    if (choice < 0.35) return this.#want(place, { ...wanted, ports: drawPorts(random) });
    if (choice < 0.42) return this.#want(place, { ...wanted, optedOut: !wanted.optedOut });
    if (choice < 0.48)
      return this.#want(place, { ...wanted, type: wanted.type === "ClusterIP" ? "LoadBalancer" : "ClusterIP" });
    if (choice < 0.53) return this.#want(place, { ...wanted, dedicated: !wanted.dedicated });
    if (choice < 0.65) return this.#scale(place, drawEndpoints(random));
    if (choice < 0.75) return this.#stripAnnotations(place);
    if (choice < 0.8) return this.#stripFinalizer(place);
    if (choice < 0.86) return chance(random, 0.5) ? this.#writeEntries(place, []) : this.#addEntry(place);
    if (choice < 0.9) return this.#administrators.nodeGoes();
    if (choice < 0.95) return this.#administrators.secretGoes();
    for (const one of this.desired.keys()) excuse(this.#sim, keyOf(one));
    return this.#administrators.poolGoes();
  }

  async insist(): Promise<void> {
    await this.#administrators.insist();
    for (const place of this.desired.keys()) {
      await this.#writer.write(place);
      await this.#writer.slice(place);
      await this.#clearDeadEntries(place);
    }
  }

  #desiredOf(place: ServicePlace): DesiredService {
    return this.desired.get(place) ?? firstDesired(this.#sim.world.random, false);
  }

  async #want(place: ServicePlace, desired: DesiredService): Promise<void> {
    this.desired.set(place, desired);
    excuse(this.#sim, keyOf(place));
    await this.#writer.write(place);
    // It follows a moment later.
    later(this.#sim, 10, 1_500, () => this.#writer.slice(place));
  }

  async #scale(place: ServicePlace, endpoints: readonly string[]): Promise<void> {
    this.desired.set(place, { ...this.#desiredOf(place), endpoints });
    await this.#writer.slice(place);
  }

  async #stripAnnotations(place: ServicePlace): Promise<void> {
    const { annotations = {} } = serviceAt(this.#sim, keyOf(place))?.metadata ?? {};
    const ours = Object.keys(annotations).filter((name) => name.startsWith("mainstay.dev/"));
    if (ours.length === 0) return;
    await this.#patch(place, { metadata: { annotations: Object.fromEntries(ours.map((name) => [name, null])) } });
    await this.#writer.write(place);
  }

  async #stripFinalizer(place: ServicePlace): Promise<void> {
    const found = serviceAt(this.#sim, keyOf(place));
    const finalizers = (found?.metadata.finalizers ?? []).filter((name) => name !== serviceFinalizer);
    await this.#patch(place, { metadata: { finalizers } });
  }

  /** Another program adds an address of its own. */
  async #addEntry(place: ServicePlace): Promise<void> {
    const entries = this.#entriesOf(place);
    if (!entries.some(({ ip }) => ip === foreignIngress.ip))
      await this.#writeEntries(place, [...entries, foreignIngress]);
  }

  /**
   * Somebody stripped the record, and an administrator deleted what it was about: nobody but people knows that the address in the status is
   * not somebody else's.
   */
  async #clearDeadEntries(place: ServicePlace): Promise<void> {
    const { ingress: ours } = addressRecord(serviceAt(this.#sim, keyOf(place))?.metadata.annotations);
    const isDead = ({ ip }: IngressEntry) =>
      ip !== undefined && ip !== foreignIngress.ip && !ours.includes(ip) && carriedAddress(this.#sim, ip) === undefined;
    const entries = this.#entriesOf(place);
    if (place.isForeign !== true && entries.some(isDead))
      await this.#writeEntries(
        place,
        entries.filter((entry) => !isDead(entry)),
      );
  }

  #entriesOf(place: ServicePlace): readonly IngressEntry[] {
    return serviceAt(this.#sim, keyOf(place))?.status?.loadBalancer?.ingress ?? [];
  }

  async #writeEntries(place: ServicePlace, entries: readonly IngressEntry[]): Promise<void> {
    const ingress = entries.length === 0 ? null : entries;
    await this.#patch(place, { status: { loadBalancer: { ingress } } }, "status");
  }

  async #patch(place: ServicePlace, body: object, subresource?: "status"): Promise<void> {
    const options = subresource === undefined ? {} : { subresource };
    await ignoreRefusal(this.#sim.world.kube.patch(serviceKind, place, { type: "merge", body }, options));
  }
}

function placesOf({ setting }: GatewaySim): readonly ServicePlace[] {
  const ours: readonly ServicePlace[] = [
    { namespace: "default", name: "web" },
    { namespace: "default", name: "mail" },
    { namespace: "apps", name: "web" },
    { namespace: "apps", name: "dns" },
  ];
  const bad: readonly ServicePlace[] =
    setting.bad === undefined ? [] : [{ namespace: "apps", name: "bad", bad: setting.bad }];
  return [...ours, ...bad, { namespace: "apps", name: "theirs", isForeign: true }];
}
