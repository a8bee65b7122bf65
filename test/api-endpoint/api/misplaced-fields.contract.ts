// Fields under the name that they have in the other version, where no webhook runs: refused by the definition itself, whichever way
// they are written, and no hindrance to an object that has borne one for long.

import { beforeAll, describe, expect, it } from "vitest";
import { remainderAnnotation } from "../../../src/apis/kube/conversion-remainder.ts";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import {
  type ApiTarget,
  at,
  block,
  clusters,
  endpoint,
  freshNamespace,
  identityRef,
  type Loose,
  later,
  make,
  refusal,
  zonesSpec,
} from "./api-world.ts";

const kinds: Readonly<Record<string, Kind<Loose>>> = { v1beta1: clusters, v1beta2: later };
const newerSpec = { identityRef, controlPlaneEndpoint: endpoint, apiServer: { managedLoadBalancer: block } };

type Case = readonly [version: string, field: string, stray: object, instead: string];

const strays: readonly Case[] = [
  ["v1beta2", "spec.apiServerLoadBalancer", { apiServerLoadBalancer: block }, "spec.apiServer.managedLoadBalancer"],
  ["v1beta2", "spec.apiServerPort", { apiServerPort: 8443 }, "spec.apiServer.port"],
  ["v1beta2", "spec.apiServerFloatingIP", { apiServerFloatingIP: "203.0.113.7" }, "spec.apiServer.floatingIP"],
  ["v1beta2", "spec.apiServerFixedIP", { apiServerFixedIP: "10.0.0.7" }, "spec.apiServer.fixedIP"],
  [
    "v1beta2",
    "spec.disableAPIServerFloatingIP",
    { disableAPIServerFloatingIP: true },
    "spec.apiServer.enableFloatingIP: false",
  ],
  ["v1beta2", "spec.disableExternalNetwork", { disableExternalNetwork: false }, "spec.enableExternalNetwork: true"],
  [
    "v1beta1",
    "spec.apiServer.managedLoadBalancer",
    { apiServer: { managedLoadBalancer: block } },
    "spec.apiServerLoadBalancer",
  ],
  ["v1beta1", "spec.apiServer.port", { apiServer: { port: 8443 } }, "spec.apiServerPort"],
  [
    "v1beta1",
    "spec.apiServer.enableFloatingIP",
    { apiServer: { enableFloatingIP: false } },
    "spec.disableAPIServerFloatingIP: true",
  ],
  ["v1beta1", "spec.enableExternalNetwork", { enableExternalNetwork: false }, "spec.disableExternalNetwork: true"],
];

const specOf = (kind: Kind<Loose>) => (kind === later ? newerSpec : zonesSpec);

export function misplacedContract(get: () => ApiTarget): void {
  let namespace: string;
  beforeAll(async () => {
    namespace = await freshNamespace(get().session);
  });
  const create = (kind: Kind<Loose>, spec: object, metadata: object = {}) =>
    get().session.admin.create<Loose>(kind, make(kind, namespace, spec, metadata));
  const change = (kind: Kind<Loose>, { metadata }: Loose, spec: object) =>
    get().session.admin.patch<Loose>(kind, metadata, { type: "merge", body: { spec } });

  describe("a field under the name of the other version", () => {
    it.each(strays)("is refused in %s: %s", async (version, field, stray, instead) => {
      const kind = kinds[version] ?? clusters;
      const { apiServer: _, ...rest } = specOf(kind) as Readonly<Record<string, unknown>>;
      const error = await refusal(create(kind, { ...rest, ...stray }));
      expect(error.causes.map((cause) => cause.field)).toEqual([field]);
      expect(error.message).toContain(`has no effect in ${version}`);
      expect(error.message).toContain(`Write ${instead} instead`);
    });

    it.each(strays)("is refused in %s as a patch: %s", async (version, field, stray) => {
      const kind = kinds[version] ?? clusters;
      const error = await refusal(change(kind, await create(kind, specOf(kind)), stray));
      expect(error.causes.map((cause) => cause.field)).toEqual([field]);
    });

    it.each(strays)("is refused in %s when it is applied: %s", async (version, field, stray) => {
      const kind = kinds[version] ?? clusters;
      const object = make(kind, namespace, specOf(kind));
      const { admin } = get().session;
      await admin.apply<Loose>(kind, object, { fieldManager: "alice" });
      const applied = { ...object, spec: { ...object.spec, ...stray } };
      const error = await refusal(admin.apply<Loose>(kind, applied, { fieldManager: "alice" }));
      expect(error.causes.map((cause) => cause.field)).toEqual([field]);
    });
  });

  it("a manifest of v1beta1 that only got another version cannot take the balancers away", async () => {
    const { admin } = get().session;
    const object = make(clusters, namespace, zonesSpec);
    await admin.apply<Loose>(clusters, object, { fieldManager: "alice" });
    const renamed = { ...object, apiVersion: `${later.group}/v1beta2` };
    await refusal(admin.apply<Loose>(later, renamed, { fieldManager: "alice" }));
    expect(at(await admin.get<Loose>(clusters, object.metadata), "spec.apiServerLoadBalancer")).toMatchObject(block);
  });

  it("an object that has borne one for long can be changed elsewhere, and mended, but not made worse", async () => {
    const { admin } = get().session;
    // What an earlier definition let pass: in storage it is a note of the conversion.
    const note = { at: ["spec", "apiServerLoadBalancer"], was: { additionalPorts: [1] } };
    const annotations = { [remainderAnnotation("v1beta2")]: JSON.stringify([note]) };
    const old = await create(clusters, zonesSpec, { annotations });
    expect(at(await admin.get<Loose>(later, old.metadata), "spec.apiServerLoadBalancer")).toEqual(note.was);
    await change(later, old, { tags: ["mine"] });
    await change(clusters, old, { tags: ["mine", "yours"] });
    await admin.patch(later, old.metadata, { type: "merge", body: { metadata: { finalizers: ["mainstay.dev/x"] } } });
    await refusal(change(later, old, { apiServerLoadBalancer: { additionalPorts: [2] } }));
    await change(later, old, { apiServerLoadBalancer: null });
    await refusal(change(later, old, { apiServerLoadBalancer: note.was }));
    const { metadata, spec } = await admin.get<Loose>(clusters, old.metadata);
    expect([metadata.annotations ?? {}, spec?.["tags"]]).toEqual([{}, ["mine", "yours"]]);
    await admin.patch(later, old.metadata, { type: "merge", body: { metadata: { finalizers: [] } } });
  });
}
