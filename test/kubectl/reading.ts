// Looking around with kubectl: get in all its forms, describe, explain, discovery, events, rights.

import { expect, it } from "vitest";
import { eventually } from "../contract/kube/raw-request.ts";
import { rowsOf } from "./kubectl-runner.ts";
import type { KubectlSession } from "./kubectl-session.ts";
import { configMap, gadget } from "./samples.ts";

export function readingScript(get: () => KubectlSession): void {
  it("version and cluster-info find the server", async () => {
    const { kubectl } = get();
    expect(JSON.parse(await kubectl.run("version -o json"))).toMatchObject({
      serverVersion: { gitVersion: expect.stringMatching(/^v1\./) },
    });
    expect(await kubectl.run("cluster-info")).toContain("Kubernetes control plane");
  });

  it("api-resources and api-versions list built-in and custom kinds", async () => {
    const { kubectl, group, gadgets } = get();
    const [header, row] = rowsOf(await kubectl.run(`api-resources --api-group=${group}`));
    expect(header).toEqual(["NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND"]);
    expect(row?.join(" ")).toBe(`gadgets gd ${group}/v1 true Gadget`);
    expect((await kubectl.run("api-resources --namespaced=false -o name")).split("\n")).toEqual(
      expect.arrayContaining(["nodes", "namespaces", "customresourcedefinitions.apiextensions.k8s.io"]),
    );
    expect(await kubectl.run("api-resources --categories=contraptions -o name")).toContain(gadgets);
    expect((await kubectl.run("api-versions")).split("\n")).toEqual(
      expect.arrayContaining([
        "v1",
        `${group}/v1`,
        "coordination.k8s.io/v1",
        "events.k8s.io/v1",
        "discovery.k8s.io/v1",
      ]),
    );
  });

  it("get prints tables, wide tables, names, YAML, JSON, custom columns and JSONPath", async () => {
    const { kubectl, group, gadgets, namespace } = get();
    await kubectl.run("create -f -", {
      input: gadget(group, "shown", { replicas: 3, colours: ["red", "blue"] }, { labels: { tier: "front" } }),
    });
    await kubectl.run([
      ...`patch ${gadgets} shown --subresource=status --type=merge -p`.split(" "),
      '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}',
    ]);
    const plain = rowsOf(await kubectl.run(`get ${gadgets}`));
    expect(plain[0]).toEqual(["NAME", "REPLICAS", "READY", "SINCE"]);
    expect(plain[1]?.slice(0, 3)).toEqual(["shown", "3", "True"]);
    const wide = rowsOf(await kubectl.run(`get ${gadgets} -o wide`));
    expect(wide[0]?.slice(3, 7)).toEqual(["SINCE", "COLOURS", "FIRST", "ANY"]);
    expect(wide[1]?.join(" ")).toContain('["red","blue"] red red');
    expect(await kubectl.run(`get ${gadgets} -o name`)).toBe(`gadget.${group}/shown\n`);
    expect(await kubectl.run(`get ${gadgets} shown -o yaml`)).toMatch(
      /^apiVersion: .*\nkind: Gadget\nmetadata:\n[^]*\nspec:\n {2}colours:\n {2}- red\n {2}- blue\n {2}replicas: 3\nstatus:/,
    );
    expect(JSON.parse(await kubectl.run(`get ${gadgets} -o json`))).toMatchObject({
      kind: "List",
      items: [{ kind: "Gadget", spec: { replicas: 3 } }],
    });
    expect(await kubectl.run(`get ${gadgets} -o custom-columns=N:.metadata.name,R:.spec.replicas`)).toMatch(
      /^N +R\nshown +3\n$/,
    );
    expect(await kubectl.run(`get ${gadgets} shown -o jsonpath={.spec.colours[1]}`)).toBe("blue");
    expect(rowsOf(await kubectl.run(`get ${gadgets} -A -l tier=front --show-labels`))[1]).toEqual(
      expect.arrayContaining([namespace, "shown", "tier=front"]),
    );
    expect((await kubectl.attempt(`get ${gadgets} -l tier=back`)).err).toContain(
      `No resources found in ${namespace} namespace.`,
    );
    expect(await kubectl.run(`get ${gadgets} --field-selector metadata.name=shown -o name`)).toContain("shown");
  });

  it("get prints Services, Namespaces, Nodes and several kinds at once", async () => {
    const { kubectl, namespace } = get();
    await kubectl.run("create service clusterip web --tcp=80:8080");
    const [header, row] = rowsOf(await kubectl.run("get service web -o wide"));
    expect(header).toEqual(["NAME", "TYPE", "CLUSTER-IP", "EXTERNAL-IP", "PORT(S)", "AGE", "SELECTOR"]);
    expect([row?.[0], row?.[1], row?.[3], row?.[4], row?.[6]]).toEqual([
      "web",
      "ClusterIP",
      "<none>",
      "80/TCP",
      "app=web",
    ]);
    expect(rowsOf(await kubectl.run(`get namespace ${namespace}`))[1]?.slice(0, 2)).toEqual([namespace, "Active"]);
    expect(await kubectl.run("get service,configmap -o name")).toContain("service/web");
    await kubectl.run("delete service web");
  });

  it("get -w follows changes until it is stopped", async () => {
    const { kubectl, group, gadgets } = get();
    const watch = kubectl.follow(`get ${gadgets} -w -l watched=yes`);
    const seen = (count: number) => eventually(`${count} lines`, async () => watch.lines.length >= count || undefined);
    try {
      await kubectl.run("create -f -", {
        input: gadget(group, "watched", { replicas: 1 }, { labels: { watched: "yes" } }),
      });
      await seen(2);
      await kubectl.run([...`patch ${gadgets} watched --type=merge -p`.split(" "), '{"spec":{"replicas":2}}']);
      await seen(3);
      await kubectl.run(`delete ${gadgets} watched`);
      await seen(4);
    } finally {
      await watch.stop();
    }
    expect(watch.lines.map((line) => line.split(/ +/).slice(0, 2))).toEqual([
      ["NAME", "REPLICAS"],
      ["watched", "1"],
      ["watched", "2"],
      ["watched", "2"],
    ]);
  });

  it("describe shows built-in and custom objects with their events", async () => {
    const { kubectl, group, gadgets, namespace } = get();
    await kubectl.run("apply -f -", { input: configMap("described", { key: "some value" }, { a: "b" }) });
    const built = await kubectl.run("describe configmap described");
    expect(built).toMatch(/^Name: +described\nNamespace: +\S+\nLabels: +a=b\n/);
    expect(built).toContain("key:\n----\nsome value\n");
    await kubectl.run("create -f -", { input: gadget(group, "described") });
    const uid = await kubectl.run(`get ${gadgets} described -o jsonpath={.metadata.uid}`);
    await kubectl.run("create -f -", { input: event(namespace, group, uid) });
    const custom = await kubectl.run(`describe ${gadgets} described`);
    expect(custom).toMatch(/^Name: +described\n/);
    expect(custom).toMatch(/Spec:\n +Replicas: +1\n/);
    expect(custom).toMatch(
      /Events:\n +Type +Reason +Age +From +Message\n[^]*Warning +Wobbling +.* +tester +it wobbles/,
    );
  });

  it("events and get events print what happened", async () => {
    const { kubectl, group } = get();
    const listed = rowsOf(await kubectl.run("events"));
    expect(listed[0]).toEqual(["LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"]);
    expect(listed).toContainEqual([expect.any(String), "Warning", "Wobbling", "Gadget/described", "it wobbles"]);
    expect(await kubectl.run(`events --for gadget.${group}/described --types=Warning`)).toContain("it wobbles");
    expect(rowsOf(await kubectl.run("get events")).at(-1)).toEqual([
      expect.any(String),
      "Warning",
      "Wobbling",
      "gadget/described",
      "it wobbles",
    ]);
  });

  it("explain tells the fields of a custom kind in the words of its CRD", async () => {
    const { kubectl, group } = get();
    const kind = await kubectl.run(`explain gadgets --api-version=${group}/v1`);
    expect(kind).toContain(`GROUP:      ${group}\nKIND:       Gadget\nVERSION:    v1\n`);
    expect(kind).toContain("Gadget is a thing to test with.");
    const spec = await kubectl.run(`explain gadgets.spec --api-version=${group}/v1`);
    expect(spec).toContain("FIELD: spec <Object>");
    expect(spec).toMatch(/DESCRIPTION:\n +What is wanted\./);
    expect(spec).toMatch(/ {2}replicas\t<integer> -required-\n {4}How many of them\.\n/);
    expect(spec).toMatch(/ {2}colours\t<\[\]string>\n {4}In no order\./);
    const all = await kubectl.run(`explain gadgets --recursive --api-version=${group}/v1`);
    expect(all).toMatch(
      / {2}spec\t<Object>\n {4}colours\t<\[\]string>\n {4}enabled\t<boolean>\n {4}notes\t<map\[string\]string>\n/,
    );
    expect(all).toMatch(/ {2}metadata\t<ObjectMeta>\n {4}annotations\t<map\[string\]string>\n/);
    const { code, err } = await kubectl.attempt(`explain gadgets.spec.nothing --api-version=${group}/v1`);
    expect([code, err]).toEqual([1, expect.stringContaining('field "nothing" does not exist')]);
  });

  it("create token gives one that is its account's, for as long and for whom it was asked", async () => {
    const { kubectl, namespace } = get();
    await kubectl.run("create serviceaccount viewer");
    const token = (await kubectl.run("create token viewer")).trim();
    const review = (spec: object) =>
      kubectl.run("create --raw /apis/authentication.k8s.io/v1/tokenreviews -f -", {
        input: { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec },
      });
    expect(JSON.parse(await review({ token }))).toMatchObject({
      status: { authenticated: true, user: { username: `system:serviceaccount:${namespace}:viewer` } },
    });
    const other = JSON.parse(await kubectl.run("create token viewer --audience=vault --duration=20m -o json"));
    expect(other).toMatchObject({ kind: "TokenRequest", spec: { audiences: ["vault"], expirationSeconds: 1_200 } });
    expect(JSON.parse(await review({ token: other.status.token }))).not.toMatchObject({
      status: { authenticated: true },
    });
    const nobody = await kubectl.attempt("create token nobody");
    expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining('serviceaccounts "nobody" not found')]);
    const short = await kubectl.attempt("create token viewer --duration=1m");
    expect(short.err).toContain("may not specify a duration less than 10 minutes");
  });

  it("auth whoami and can-i answer for the caller", async () => {
    const { kubectl, restricted } = get();
    expect(await restricted.run("auth whoami")).toMatch(/Username +controller\n/);
    expect(await kubectl.run("auth can-i delete configmaps")).toBe("yes\n");
    expect(await restricted.attempt("auth can-i delete configmaps")).toMatchObject({ code: 1, out: "no\n" });
    expect(await restricted.run("auth can-i --list")).toContain("selfsubjectaccessreviews.authorization.k8s.io");
    const { code, err } = await restricted.attempt("get configmaps");
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('Error from server (Forbidden): configmaps is forbidden: User "controller" cannot list'),
    ]);
  });

  it("says what is wrong with an unknown name, resource and kind", async () => {
    const { kubectl } = get();
    const failure = async (command: string, input?: object) => {
      const { code, err } = await kubectl.attempt(command, input === undefined ? {} : { input });
      return [code, err.trim()];
    };
    expect(await failure("get configmap absent")).toEqual([
      1,
      'Error from server (NotFound): configmaps "absent" not found',
    ]);
    expect(await failure("get gizmos")).toEqual([1, 'error: the server doesn\'t have a resource type "gizmos"']);
    const manifest = { apiVersion: "nobody.example.test/v1", kind: "Gizmo", metadata: { name: "x" } };
    expect(await failure("apply -f -", manifest)).toEqual([
      1,
      expect.stringContaining('no matches for kind "Gizmo" in version "nobody.example.test/v1"'),
    ]);
  });
}

function event(namespace: string, group: string, uid: string): object {
  const now = new Date().toISOString().replace(/\.\d+/, "");
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "wobble" },
    involvedObject: { apiVersion: `${group}/v1`, kind: "Gadget", name: "described", namespace, uid },
    type: "Warning",
    reason: "Wobbling",
    message: "it wobbles",
    source: { component: "tester" },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
}
