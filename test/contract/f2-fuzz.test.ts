import fc from "fast-check";
import { it } from "vitest";
import { randomBytes } from "node:crypto";
import { namespaces, services } from "../../src/apis/builtin-kinds.ts";
import { KubeError } from "../../src/core/kube-error.ts";
import { describeLab, labKube } from "../lab.ts";
import { realTarget } from "./targets/real.ts";
import { fakeInProcess } from "./targets/fake-in-process.ts";
import { entriesOf } from "./kube/owners.ts";
import { install, version, widget, widgetCrd } from "./kube/sample-crd.ts";
const small = { type: "integer" };
const spec = { type: "object", properties: { count: { type: "integer", default: 5 }, inner: { type: "object", properties: { a: small, b: small } }, map: { type: "object", additionalProperties: small }, mo: { type: "object", additionalProperties: { type: "object", properties: { a: small, b: small } } },
 named: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name", "proto"], items: { type: "object", required: ["name"], properties: { name: { type: "string" }, proto: { type: "string", default: "TCP" }, size: small, tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } }, at: { type: "object", "x-kubernetes-map-type": "atomic", properties: { x: small } } } } },
 whole: { type: "array", items: small }, free: { type: "object", "x-kubernetes-preserve-unknown-fields": true }, nul: { type: "string", nullable: true }, ios: { "x-kubernetes-int-or-string": true } } };
const n = fc.constantFrom("a", "b", "c"); const v = fc.integer({ min: 0, max: 1 });
const opt = (m: any) => fc.record(m, { requiredKeys: [] });
const item = fc.record({ name: n, proto: fc.constantFrom("TCP", "UDP"), size: v, tags: fc.uniqueArray(n, { minLength: 1, maxLength: 3 }), at: fc.record({ x: v }) }, { requiredKeys: ["name"] });
const specs = opt({ count: v, inner: fc.record({ a: v, b: v }, { requiredKeys: ["a"] }), map: fc.dictionary(n, v, { minKeys: 1 }), mo: fc.dictionary(n, fc.record({ a: v, b: v }, { requiredKeys: ["a"] }), { minKeys: 1 }), named: fc.uniqueArray(item, { selector: (i: any) => i.name + (i.proto ?? "TCP"), minLength: 1, maxLength: 3 }), whole: fc.array(v, { maxLength: 2 }), free: fc.dictionary(n, fc.oneof(v, fc.array(v, { maxLength: 2 }), fc.dictionary(n, v, { minKeys: 1 })), { minKeys: 1 }), nul: fc.constantFrom("x", null), ios: fc.constantFrom(1, "x") });
const step = fc.oneof({ weight: 5, arbitrary: fc.record({ op: fc.constant("apply"), who: fc.constantFrom("kubectl", "bob"), force: fc.boolean(), spec: specs, labels: fc.dictionary(n, n, { minKeys: 1 }) }) }, { weight: 2, arbitrary: fc.record({ op: fc.constant("merge"), who: fc.constantFrom("carol", "bob"), spec: specs, labels: fc.dictionary(n, n, { minKeys: 1 }) }) });
const port = fc.record({ port: fc.constantFrom(80, 53), protocol: fc.constantFrom("TCP", "UDP"), name: n }, { requiredKeys: ["port", "name"] });
const svcSpecs = opt({ ports: fc.uniqueArray(port, { selector: (p: any) => p.name, minLength: 1, maxLength: 3 }), selector: fc.dictionary(n, n, { minKeys: 1 }), clusterIP: fc.constant("None"), externalIPs: fc.uniqueArray(fc.constantFrom("1.2.3.4", "1.2.3.5"), { minLength: 1, maxLength: 2 }), sessionAffinity: fc.constantFrom("None", "ClientIP") }) ;
const svcStep = fc.record({ op: fc.constantFrom("apply", "apply", "merge"), who: fc.constantFrom("alice", "bob"), force: fc.boolean(), spec: svcSpecs.map((s: any) => ({ ...s, clusterIP: "None", ports: s.ports ?? [{ port: 1, name: "z" }] })), labels: fc.dictionary(n, n, { minKeys: 1 }) });
const view = (o: any) => ({ spec: o.spec, labels: o.metadata.labels, owners: entriesOf(o).map((e: any) => [e.manager, e.operation, JSON.stringify(sort(e.fieldsV1)), e.time === undefined]).sort() });
const sort = (x: any): any => Array.isArray(x) ? x.map(sort) : x && typeof x === "object" ? Object.fromEntries(Object.keys(x).sort().map((k) => [k, sort(x[k])])) : x;
const uniq = (p: string) => `${p}-${randomBytes(4).toString("hex")}`;
describeLab("fuzz", labKube, (lab) => {
  for (const which of ["widgets", "services"]) it(which, async () => {
    const sessions = [await fakeInProcess.open(), await realTarget(lab).open()];
    const namespace = uniq("fuzz"); const ctxs = sessions.map((s) => ({ ...s, namespace, unique: uniq, cleanup: () => {} }));
    const crd = widgetCrd(ctxs[0]! as any, [version(spec)]);
    const kinds = []; for (const c of ctxs) { await c.admin.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }); kinds.push(which === "widgets" ? await install(c as any, crd) : services); }
    let steps = 0;
    await fc.assert(fc.asyncProperty(fc.array((which === "widgets" ? step : svcStep) as any, { minLength: 2, maxLength: 5 }), async (list: any[]) => {
      const name = uniq("o");
      for (const s of list) { steps++;
        const out = await Promise.all(ctxs.map(async (c, i) => { const kind: any = kinds[i]; 
          const obj: any = which === "widgets" ? widget(kind, { name, namespace, labels: s.labels }, s.spec) : { apiVersion: "v1", kind: "Service", metadata: { name, namespace, labels: s.labels }, spec: s.spec };
          try { const r = s.op === "apply" ? await c.admin.apply(kind, obj, { fieldManager: s.who, force: s.force }) : await c.admin.patch(kind, { name, namespace }, { type: "merge", body: { metadata: { labels: s.labels }, spec: s.spec } }, { fieldManager: s.who }); return { ok: view(r) }; }
          catch (e) { if (!(e instanceof KubeError)) throw e; return { err: e.status, causes: e.statusReason === "Conflict" || e.status === 409 ? e.causes.map((x) => `${x.field} ${x.message}`).sort() : e.causes.map((x) => x.field).sort() }; } }));
        const [a, b] = out.map((o) => JSON.stringify(sort(o)));
        if ((out[1] as any).err === 422) break;
        if (a !== b) throw new Error(`DIFF\nfake ${a}\nreal ${b}`);
      }
    }), { numRuns: Number(process.env.RUNS ?? 60), seed: Number(process.env.SEED ?? 1) });
    console.log(which, "steps", steps);
    await ctxs[1]!.admin.delete(namespaces, { name: namespace }); if (which === "widgets") await ctxs[1]!.admin.request({ method: "DELETE", path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name}` });
  }, 200000);
});
