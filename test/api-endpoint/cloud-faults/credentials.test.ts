import { beforeEach, describe, expect, test } from "vitest";
import { customResourceDefinitions, namespaces, secrets } from "../../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { openStackClusterIdentities } from "../../../src/apis/openstack/openstack-cluster-identity.ts";
import { present } from "../../../src/core/present.ts";
import type { IdentityRef } from "../../../src/jobs/api-endpoint/apis/load-balancer/api-server-load-balancer.ts";
import { cloudOf } from "../../../src/jobs/api-endpoint/controller/cloud/cloud-of.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import { countsByKind } from "../world/cloud-contents.ts";
import { cloudsYaml, EndpointWorld, namespace } from "../world/endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };
const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
let world: EndpointWorld;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
});

async function put(name: string, data: Readonly<Record<string, string>>, where = namespace): Promise<void> {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, text]) => [key, btoa(text)]));
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name, namespace: where }, data: encoded };
  await world.kube.create(secrets, secret);
}

async function cloud(identity: IdentityRef, from = namespace) {
  return await cloudOf({ kube: world.kube, identity, namespace: from, signal: new AbortController().signal });
}

describe("a Secret", () => {
  test("without a cacert leads to the cloud it names", async () => {
    const { authUrl, auth, caCertificate } = await cloud({ name: "cloud", cloudName: "lab" });
    expect({ authUrl, type: auth.type, caCertificate }).toEqual({
      authUrl: world.lab.clouds.password.authUrl,
      type: "password",
      caCertificate: undefined,
    });
  });

  test("with a cacert brings the authority along", async () => {
    await put("with-ca", { "clouds.yaml": cloudsYaml(world.lab), cacert: pem });
    expect((await cloud({ name: "with-ca", cloudName: "lab" })).caCertificate).toBe(pem);
  });

  test("that changes applies at once: nothing of it is kept", async () => {
    await world.putCredentials(cloudsYaml(world.lab).replace("lab:", "moved:"));
    await expect(cloud({ name: "cloud", cloudName: "lab" })).rejects.toThrow(/moved/);
    expect((await cloud({ name: "cloud", cloudName: "moved" })).cloudName).toBe("moved");
  });

  test.each([
    ["missing secret", { name: "nobody", cloudName: "lab" }, /Secret clusters\/nobody: there is no such object/],
    ["missing key", { name: "keyless", cloudName: "lab" }, /Secret clusters\/keyless: it has no key clouds.yaml/],
    ["empty cloud name", { name: "cloud", cloudName: "" }, /cloudName: it is empty/],
    ["unknown cloud name", { name: "cloud", cloudName: "lob" }, /no cloud "lob". Did you mean lab\?/],
    ["no YAML", { name: "torn", cloudName: "lab" }, /its clouds.yaml is not one YAML document/],
  ])("%s is said with the object's name", async (_name, identity, words) => {
    await put("keyless", { cacert: pem });
    await put("torn", { "clouds.yaml": "clouds: {lab: {auth: {password: hunter2" });
    const refused = cloud(identity);
    await expect(refused).rejects.toMatchObject({ reason: "CredentialsUnusable" });
    await expect(refused).rejects.toThrow(words);
    await expect(refused).rejects.not.toThrow(/hunter2/);
  });

  test("of another namespace is not to be had by name", async () => {
    await world.kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: "elsewhere" } });
    await put("theirs", { "clouds.yaml": cloudsYaml(world.lab) }, "elsewhere");
    await expect(cloud({ name: "theirs", cloudName: "lab" })).rejects.toThrow(/Secret clusters\/theirs/);
  });
});

describe("a ClusterIdentity", () => {
  const lent: IdentityRef = { type: "ClusterIdentity", name: "shared", cloudName: "lab" };
  beforeEach(async () => {
    await world.kube.create(customResourceDefinitions, openCrd(openStackClusterIdentities));
    await world.clock.advance(100);
    await world.kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: "vault" } });
    await put("lent", { "clouds.yaml": cloudsYaml(world.lab) }, "vault");
  });

  async function lend(namespaceSelector?: object): Promise<void> {
    await world.kube.create<KubeObject>(openStackClusterIdentities, {
      apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha1",
      kind: "OpenStackClusterIdentity",
      metadata: { name: "shared" },
      spec: {
        secretRef: { name: "lent", namespace: "vault" },
        ...present({ namespaceSelector }),
      },
    } as KubeObject);
  }

  test("without a selector lends to every namespace, across namespaces", async () => {
    await lend();
    expect((await cloud(lent)).cloudName).toBe("lab");
  });

  test("with an empty selector lends to every namespace", async () => {
    await lend({});
    expect((await cloud(lent)).cloudName).toBe("lab");
  });

  test("lends to a namespace with the labels it asks for", async () => {
    await lend({ matchLabels: { team: "blue" } });
    const body = { metadata: { labels: { team: "blue" } } };
    await world.kube.patch(namespaces, { name: namespace }, { type: "merge", body });
    expect((await cloud(lent)).cloudName).toBe("lab");
  });

  test("denies every other namespace, and says how to be let in", async () => {
    await lend({ matchExpressions: [{ key: "team", operator: "In", values: ["red"] }] });
    await expect(cloud(lent)).rejects.toMatchObject({
      reason: "CredentialsUnusable",
      message: "OpenStackClusterIdentity shared: namespace clusters is not among those it may be used from",
    });
  });

  test("that is not found is said by name", async () => {
    await expect(cloud(lent)).rejects.toThrow(/OpenStackClusterIdentity shared: there is no such object/);
  });
});

describe("a cluster whose credentials cannot be used", () => {
  test("says so in its conditions, asks the cloud nothing, and goes on when they are there", async () => {
    const { manager } = world.work();
    const spec = {
      identityRef: { name: "later", cloudName: "lab" },
      controlPlaneEndpoint: endpoint,
      apiServerLoadBalancer: world.zones(),
    };
    await world.cluster("blue", { spec });
    await world.clock.advance(30_000);
    const conditions = (await world.read("blue")).status?.conditions ?? [];
    expect(conditions.find(({ type }) => type === "OpenStackAuthenticationSucceeded")).toMatchObject({
      status: "False",
      reason: "CredentialsUnusable",
    });
    expect(conditions.find(({ type }) => type === "Ready")?.status).not.toBe("True");
    expect([...world.lab.fake.counts()]).toEqual([]);
    await put("later", { "clouds.yaml": cloudsYaml(world.lab) });
    await world.clock.advance(180_000);
    expect((await world.read("blue")).status?.ready).toBe(true);
    expect(countsByKind(world)["loadbalancers"]).toBe(3);
    await manager.stop();
  });

  test("keeps its finalizer while it is deleted without them, says what to do, and ends when they are back", async () => {
    const { manager } = world.work();
    await world.cluster("blue", { spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones() } });
    await world.clock.advance(60_000);
    await world.kube.delete(secrets, { name: "cloud", namespace });
    // Nobody waits for one that is replaced: held-secret.test.ts.
    await world.clock.advance(60_000);
    await world.remove("blue");
    await world.clock.advance(120_000);
    const { metadata, status } = await world.read("blue");
    expect(metadata.finalizers).toHaveLength(1);
    expect(status?.conditions?.find(({ type }) => type === "Ready")).toMatchObject({ reason: "CredentialsUnusable" });
    expect(await world.notes()).toContainEqual(
      expect.stringContaining("Secret clusters/cloud: there is no such object"),
    );
    await world.putCredentials(cloudsYaml(world.lab));
    await world.clock.advance(600_000);
    await expect(world.read("blue")).rejects.toMatchObject({ code: "NotFound" });
    expect(Object.values(countsByKind(world)).every((count) => count === 0)).toBe(true);
    await manager.stop();
  });
});
