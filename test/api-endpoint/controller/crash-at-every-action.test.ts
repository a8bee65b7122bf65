// The manager dies at every kind of action, before the request is sent or before its answer is heard; the next one goes on. What comes of
// each step of a history is the same as if nobody had died: nothing is missing, nothing is there twice, and at the end nothing is left.

import { describe, expect, test } from "vitest";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { secrets } from "../../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import type { Action } from "../../../src/core/plan.ts";
import type { Feature, Writer } from "../../../src/engine/feature.ts";
import { apiEndpointFeature, openStackClusterFeature } from "../../../src/jobs/api-endpoint/controller/front-doors.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import { isWholeSearch } from "../../support/search-share.ts";
import { countsByKind } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";
import { type History, histories } from "./crash-histories.ts";

const moments = ["before it is sent", "before its answer is heard"] as const;
interface Crash {
  readonly kind: string;
  readonly when: (typeof moments)[number];
}

interface Outcome {
  readonly kinds: ReadonlySet<string>;
  readonly shapes: readonly unknown[];
  readonly deaths: number;
}

const never = (): Promise<never> => new Promise(() => undefined);

/** One manager after the other: the first dies as it is told, and its successor comes when somebody has noticed. */
class Managers {
  readonly kinds = new Set<string>();
  deaths = 0;
  readonly #world: EndpointWorld;
  readonly #crash: Crash | undefined;
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(world: EndpointWorld, crash: Crash | undefined) {
    this.#world = world;
    this.#crash = crash;
    this.#start();
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  #start(): void {
    const process = { over: false };
    const { fake: openStack } = this.#world.lab;
    const features = [openStackClusterFeature({ openStack, claims: "annotated" }), apiEndpointFeature({ openStack })];
    const { manager } = this.#world.manager({
      features: features.map((feature) => this.#mortal(feature, process)),
      through: (kube) => unlessOver(kube, process),
    });
    this.#stop = () => manager.stop();
  }

  #die(process: { over: boolean }): Promise<never> {
    process.over = true;
    this.deaths += 1;
    this.#world.clock.after(2_000, () => this.#start());
    return never();
  }

  #mortal(feature: Feature, process: { over: boolean }): Feature {
    const executors = Object.entries(feature.executors).map(([kind, execute]) => {
      const mortal = async (action: Action, writer: Writer): Promise<void> => {
        if (process.over) return await never();
        this.kinds.add(kind);
        const isDue = this.#crash?.kind === kind && this.deaths === 0;
        if (isDue && this.#crash.when === "before it is sent") return await this.#die(process);
        // What the cloud refuses has an answer, too.
        const answer = execute(action, writer);
        if (!isDue) return await answer;
        await answer.catch(() => undefined);
        return await this.#die(process);
      };
      return [kind, mortal] as const;
    });
    return {
      ...feature,
      observe: (key, reader) => (process.over ? never() : feature.observe(key, reader)),
      executors: Object.fromEntries(executors),
    };
  }
}

function unlessOver(kube: Kube, process: { readonly over: boolean }): Kube {
  return new Proxy(kube, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...args: readonly unknown[]) => (process.over ? never() : Reflect.apply(method, target, args));
    },
  });
}

async function live({ options = {}, steps }: History, crash?: Crash): Promise<Outcome> {
  const world = new EndpointWorld(options);
  await world.furnish();
  const managers = new Managers(world, crash);
  const shapes: unknown[] = [];
  for (const step of steps) {
    await step(world);
    await world.clock.advance(240_000);
    shapes.push(await shapeOf(world));
  }
  await managers.stop();
  return { kinds: managers.kinds, shapes, deaths: managers.deaths };
}

/** What is there, without ids and addresses that are chosen anew each time. */
async function shapeOf(world: EndpointWorld): Promise<unknown> {
  const { loadbalancers, listeners, pools, healthmonitors, members, floatingips } = world.lab.fake.cloud.tables;
  const nameOf = (id: string) => loadbalancers.get(id)?.name;
  const object: KubeObject & { readonly spec?: { readonly controlPlaneEndpoint?: { readonly host?: string } } } =
    await world.read("blue").catch(() => ({ apiVersion: "", kind: "gone", metadata: { name: "" } }));
  const published = await world.kube.list(dnsEndpoints, { namespace }).then(
    ({ items }) => items.length,
    () => 0,
  );
  return {
    ...countsByKind(world),
    balancers: loadbalancers
      .all()
      .map(({ name, provisioningStatus, tags }) => [name, provisioningStatus, ofUser(tags)]),
    listeners: listeners
      .all()
      .map((one) => [nameOf(one.loadBalancerId), one.name, one.port, one.connectionLimit])
      .toSorted(),
    pools: pools
      .all()
      .map(({ name, tags }) => [name, ofUser(tags)])
      .toSorted(),
    monitors: healthmonitors
      .all()
      .map(({ name, delaySeconds }) => [name, delaySeconds])
      .toSorted(),
    members: members
      .all()
      .map(({ name, address, port, tags }) => [name, address, port, ofUser(tags)])
      .toSorted(),
    attached: floatingips.all().map(({ portId, tags }) => [portId !== undefined, tags.length]),
    object: [object.kind, object.metadata.finalizers, object.spec?.controlPlaneEndpoint?.host !== undefined],
    published,
    secret: (await world.kube.get(secrets, { name: "cloud", namespace })).metadata.finalizers ?? [],
  };
}

function ofUser(tags: readonly string[]): string {
  return tags
    .filter((tag) => !tag.startsWith("mainstay-"))
    .toSorted()
    .join(" ");
}

const undisturbed = new Map<string, Promise<Outcome>>(histories.map((history) => [history.name, live(history)]));

test("between them the histories contain every kind of action", async () => {
  const outcomes = await Promise.all(undisturbed.values());
  const { fake: openStack } = new EndpointWorld().lab;
  const declared = Object.keys(apiEndpointFeature({ openStack }).executors);
  expect([...new Set(outcomes.flatMap(({ kinds }) => [...kinds]))].toSorted()).toEqual(declared.toSorted());
});

test.each(histories)("$name: nothing is left of it at the end", async ({ name }) => {
  const nothing = {
    loadbalancers: 0,
    listeners: [],
    pools: [],
    members: [],
    healthmonitors: 0,
    floatingips: 0,
    published: 0,
    secret: [],
  };
  expect((await undisturbed.get(name))?.shapes.at(-1)).toMatchObject(nothing);
});

/** Each kind in the first history that has it. */
const first = new Map<string, History>();
for (const history of histories)
  for (const kind of (await undisturbed.get(history.name))?.kinds ?? []) if (!first.has(kind)) first.set(kind, history);

/** Of two moments for each kind `make test` tries one, by turns. */
const isTried = (index: number, when: Crash["when"]) => isWholeSearch() || moments[index % moments.length] === when;

describe.each(moments)("a manager that dies %s", (when) => {
  test.each([...first].filter((_, index) => isTried(index, when)))(
    "%s: the next one brings everything to where it should be",
    async (kind, history) => {
      const { shapes, deaths } = await live(history, { kind, when });
      expect(deaths).toBe(1);
      expect(shapes).toEqual((await undisturbed.get(history.name))?.shapes);
    },
  );
});
