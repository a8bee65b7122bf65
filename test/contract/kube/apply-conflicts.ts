// An applier never changes what others own, unless it says so.

import { expect, it } from "vitest";
import { configMaps } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import type { GetContext } from "../kube-target.ts";
import { ownersOf } from "./owners.ts";
import { type ConfigMap, configMap, refusal } from "./samples.ts";

const maps = configMaps as Kind<ConfigMap>;
const alice = { fieldManager: "alice" };
const bob = { fieldManager: "bob" };

export function conflictBehaviours(get: GetContext): void {
  it("names the applier and the field of a conflict", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("applied"), namespace };
    await admin.apply(maps, configMap(metadata, { x: "1" }), alice);
    const error = await refusal(admin.apply(maps, configMap(metadata, { x: "2" }), bob));
    expect(error).toMatchObject({ code: "Conflict", status: 409, statusReason: "Conflict" });
    expect(error.causes).toEqual([
      { reason: "FieldManagerConflict", field: ".data.x", message: 'conflict with "alice"' },
    ]);
    expect(error.message).toContain('Apply failed with 1 conflict: conflict with "alice": .data.x');
  });

  it("names the version an updater wrote at", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("updated"), namespace };
    await admin.create(maps, configMap(metadata, { x: "1", y: "1" }), { fieldManager: "carol" });
    const error = await refusal(admin.apply(maps, configMap(metadata, { x: "2", y: "2" }), bob));
    expect(error.causes.map(({ field, message }) => [field, message])).toEqual([
      [".data.x", 'conflict with "carol" using v1'],
      [".data.y", 'conflict with "carol" using v1'],
    ]);
    expect(error.message).toContain(
      'Apply failed with 2 conflicts: conflicts with "carol" using v1:\n- .data.x\n- .data.y',
    );
  });

  it("leaves the object alone when there is a conflict", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("alone"), namespace };
    const before = await admin.apply<ConfigMap>(maps, configMap(metadata, { x: "1" }), alice);
    await refusal(admin.apply(maps, configMap(metadata, { x: "2", y: "2" }), bob));
    expect(await admin.get(maps, metadata)).toEqual(before);
  });

  it("takes over with force, and the other loses just that field", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("force"), namespace };
    await admin.apply(maps, configMap(metadata, { x: "1", y: "1" }), alice);
    const after = await admin.apply<ConfigMap>(maps, configMap(metadata, { x: "2" }), { ...bob, force: true });
    expect(after.data).toEqual({ x: "2", y: "1" });
    expect(ownersOf(after)).toEqual({ "alice Apply": ["f:data/f:y"], "bob Apply": ["f:data/f:x"] });
  });

  it("meets no conflict where two appliers want the same", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("agree"), namespace };
    await admin.apply(maps, configMap(metadata, { x: "1" }), alice);
    const after = await admin.apply<ConfigMap>(maps, configMap(metadata, { x: "1", y: "1" }), bob);
    expect(ownersOf(after)).toEqual({ "alice Apply": ["f:data/f:x"], "bob Apply": ["f:data/f:x", "f:data/f:y"] });
    const error = await refusal(admin.apply(maps, configMap(metadata, { x: "2" }), alice));
    expect(error.causes.map(({ message }) => message)).toEqual(['conflict with "bob"']);
  });

  it("may create with force what nobody has", async () => {
    const { admin, namespace, unique } = get();
    const created = await admin.apply<ConfigMap>(maps, configMap({ name: unique("fresh"), namespace }, { x: "1" }), {
      ...alice,
      force: true,
    });
    expect(created.data).toEqual({ x: "1" });
  });

  it("keeps nothing of an apply that is only a dry run", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("dry"), namespace };
    const before = await admin.apply<ConfigMap>(maps, configMap(metadata, { x: "1" }), alice);
    const dry = await admin.apply<ConfigMap>(maps, configMap(metadata, { x: "2" }), { ...alice, dryRun: true });
    expect(dry.data).toEqual({ x: "2" });
    expect(await admin.get(maps, metadata)).toEqual(before);
  });
}
