import { describe, expect, it } from "vitest";
import { cloud, lostConnection, scriptedCloud, settled, ticket } from "../../../../test/support/scripted-cloud.ts";
import type { CloudAuth, CloudConfig } from "../../../core/openstack/cloud-config.ts";

const zones = { json: { providers: [] } };
const ask = ({ project }: { readonly project: ReturnType<typeof scriptedCloud>["project"] }) =>
  project.octavia.listProviders();

const bodyOf = (request: { readonly body?: string } | undefined): unknown => JSON.parse(request?.body ?? "null");
const withAuth = (auth: CloudAuth): CloudConfig => ({ ...cloud, auth });

describe("a login", () => {
  const loginOf = async (config: CloudConfig) => {
    const { openStack, loginsSent } = scriptedCloud();
    await openStack.project(config).identify();
    return bodyOf(loginsSent[0]);
  };

  it("names user and project by name and domain, or by id", async () => {
    expect(await loginOf(cloud)).toEqual({
      auth: {
        identity: {
          methods: ["password"],
          password: { user: { name: "ops", domain: { name: "Default" }, password: "open-sesame" } },
        },
        scope: { project: { name: "shop", domain: { name: "Default" } } },
      },
    });
    const byId = withAuth({ type: "password", user: { id: "u1" }, password: "x", scope: { id: "p1" } });
    expect(await loginOf(byId)).toMatchObject({
      auth: { identity: { password: { user: { id: "u1", password: "x" } } }, scope: { project: { id: "p1" } } },
    });
  });

  it("sends no scope with an application credential, which has its own", async () => {
    const byId = withAuth({ type: "application-credential", credential: { id: "a1" }, secret: "s" });
    expect(await loginOf(byId)).toEqual({
      auth: { identity: { methods: ["application_credential"], application_credential: { id: "a1", secret: "s" } } },
    });
    const user = { name: "ops", domain: { id: "default" } };
    const byName = withAuth({ type: "application-credential", credential: { name: "ci", user }, secret: "s" });
    expect(await loginOf(byName)).toEqual({
      auth: {
        identity: { methods: ["application_credential"], application_credential: { name: "ci", user, secret: "s" } },
      },
    });
  });

  it("keeps a token's own scope when none is named", async () => {
    const { openStack, loginsSent, sent } = scriptedCloud({ services: () => zones });
    const project = openStack.project(withAuth({ type: "token", token: "t" }));
    expect(await project.identify()).toMatchObject({ projectId: "p1" });
    expect(loginsSent).toMatchObject([{ method: "GET", headers: { "x-auth-token": "t", "x-subject-token": "t" } }]);
    await project.octavia.listProviders();
    expect(sent[0]?.headers["x-auth-token"]).toBe("t");
    expect(await loginOf(withAuth({ type: "token", token: "t", scope: { id: "p" } }))).toMatchObject({
      auth: { scope: { project: { id: "p" } } },
    });
  });

  it("finds Keystone however its address is written", async () => {
    for (const authUrl of ["https://k.test", "https://k.test/", "https://k.test/v3/", "https://k.test/v2.0"]) {
      const { openStack, loginsSent } = scriptedCloud();
      await openStack.project({ ...cloud, authUrl }).identify();
      expect(loginsSent[0]?.url).toBe("https://k.test/v3/auth/tokens");
    }
  });

  it("is refused when it yields no project", async () => {
    const { project } = scriptedCloud({ logins: () => ticket("t", { project: undefined }) });
    await expect(project.identify()).rejects.toMatchObject({
      code: "Unauthorized",
      service: "keystone",
      hint: expect.stringContaining("project"),
    });
  });

  it("that Keystone refuses is an Unauthorized, and is not repeated at once by others who wait", async () => {
    const refusal = { status: 401, json: { error: { code: 401, message: "The password is wrong.", title: "No" } } };
    const world = scriptedCloud({ logins: () => refusal });
    await expect(world.project.identify()).rejects.toMatchObject({
      code: "Unauthorized",
      message: expect.stringContaining("The password is wrong."),
    });
    await expect(ask(world)).rejects.toMatchObject({ code: "Unauthorized" });
    expect(world.loginsSent).toHaveLength(1);
    await world.clock.advance(6_000);
    await expect(ask(world)).rejects.toMatchObject({ code: "Unauthorized" });
    expect(world.loginsSent).toHaveLength(2);
  });

  it("that Keystone goes on refusing is tried less and less often, and never less than once a minute", async () => {
    const world = scriptedCloud({ logins: () => ({ status: 401 }) });
    for (let second = 0; second < 600; second += 1) {
      await ask(world).catch(() => {});
      await world.clock.advance(1_000);
    }
    const gaps = world.loginsSent.slice(1).map(({ atMs }, index) => atMs - (world.loginsSent[index]?.atMs ?? 0));
    expect(gaps.slice(0, 6)).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(Math.max(...gaps)).toBe(60_000);
  });

  it("through an address that only leads elsewhere says where it leads", async () => {
    const location = "https://keystone.test/v3/auth/tokens";
    const { project } = scriptedCloud({ logins: () => ({ status: 301, headers: { location }, text: "<html>" }) });
    await expect(project.identify()).rejects.toMatchObject({
      code: "BadRequest",
      service: "keystone",
      message: expect.stringContaining(location),
      hint: expect.stringContaining("auth_url"),
    });
  });

  it("that is refused is told by its Keystone, not by the name that somebody else has for it", async () => {
    const { openStack } = scriptedCloud({ logins: () => ({ status: 401 }) });
    const said = async (cloudName: string) =>
      await openStack
        .project({ ...cloud, cloudName, authUrl: "https://me:hunter2@k.test/v3" })
        .identify()
        .then(() => "", String);
    const [first, second] = [await said("red"), await said("blue")];
    expect(first).toContain("https://k.test: authenticate");
    expect(second).toContain("https://k.test: authenticate");
    expect(`${first} ${second}`).not.toMatch(/red|blue|hunter2/);
  });

  it("is tried again while Keystone is away for a moment", async () => {
    const world = scriptedCloud({
      logins: (_, nth) => (nth === 1 ? { status: 503 } : nth === 2 ? lostConnection() : ticket("late")),
    });
    expect(await settled(world.clock, world.project.identify())).toMatchObject({ projectId: "p1" });
  });
});

describe("a token", () => {
  it("serves all who ask for the same credentials, from one login", async () => {
    const world = scriptedCloud({ services: () => zones });
    const again = world.openStack.project({ ...cloud, cloudName: "another name for it" });
    await Promise.all([ask(world), ask(world), again.octavia.listProviders(), again.identify()]);
    expect(world.loginsSent).toHaveLength(1);
    expect(new Set(world.sent.map(({ headers }) => headers["x-auth-token"]))).toEqual(new Set(["token-1"]));
  });

  it("is another one for other credentials, another authority, or no verification", async () => {
    const world = scriptedCloud();
    const others: readonly CloudConfig[] = [
      cloud,
      withAuth({ ...cloud.auth, type: "password", password: "new" } as CloudAuth),
      { ...cloud, verifyTls: false },
      { ...cloud, caCertificate: "PEM" },
      { ...cloud, authUrl: "https://elsewhere.test/v3" },
    ];
    for (const each of others) await world.openStack.project(each).identify();
    expect(world.loginsSent).toHaveLength(others.length);
  });

  it("is shared between regions, each with its own endpoints", async () => {
    const world = scriptedCloud({ services: () => zones });
    for (const region of ["RegionOne", "RegionTwo"]) {
      await world.openStack.project({ ...cloud, region }).octavia.listProviders();
    }
    expect(world.loginsSent).toHaveLength(1);
    expect(world.sent.map(({ url }) => new URL(url).host)).toEqual(["octavia-1-public.test", "octavia-2-public.test"]);
  });

  it("is renewed before it ends", async () => {
    const world = scriptedCloud({ services: () => zones });
    await ask(world);
    await world.clock.advance(53 * 60_000);
    await ask(world);
    expect(world.loginsSent).toHaveLength(1);
    await world.clock.advance(2 * 60_000);
    await ask(world);
    await ask(world);
    expect(world.loginsSent).toHaveLength(2);
    expect(world.sent.at(-1)?.headers["x-auth-token"]).toBe("token-2");
  });

  it("that is still good serves all who ask while Keystone hangs over the next one", async () => {
    const world = scriptedCloud({
      services: () => zones,
      logins: (_, nth) => (nth === 1 ? ticket("token-1") : "silence"),
    });
    await ask(world);
    await world.clock.advance(55 * 60_000);
    await Promise.all([ask(world), ask(world)]);
    expect(world.loginsSent).toHaveLength(2);
    expect(world.sent.at(-1)?.headers["x-auth-token"]).toBe("token-1");
  });

  it("goes on to its end while Keystone is away, and is asked for no more often than every half minute", async () => {
    const world = scriptedCloud({
      services: () => zones,
      logins: (_, nth) => (nth === 1 ? ticket("token-1") : { status: 500 }),
    });
    await ask(world);
    await world.clock.advance(55 * 60_000);
    await ask(world);
    await world.clock.advance(20_000);
    const tried = world.loginsSent.length;
    await ask(world);
    await world.clock.advance(5_000);
    expect(world.loginsSent).toHaveLength(tried);
    await world.clock.advance(5_000);
    await ask(world);
    await world.clock.advance(1);
    expect(world.loginsSent.length).toBeGreaterThan(tried);
    expect(world.sent.at(-1)?.headers["x-auth-token"]).toBe("token-1");
    await world.clock.advance(6 * 60_000);
    await expect(settled(world.clock, ask(world))).rejects.toMatchObject({ code: "ServerError", service: "keystone" });
  });

  it("that is refused is replaced once, also for a change, which had no effect", async () => {
    const world = scriptedCloud({
      services: ({ headers }) => (headers["x-auth-token"] === "token-1" ? { status: 401 } : { status: 204 }),
    });
    await world.project.octavia.deleteListener("l1");
    expect(world.sent).toHaveLength(2);
    expect(world.loginsSent).toHaveLength(2);
  });

  it("that is refused again is an Unauthorized", async () => {
    const world = scriptedCloud({ services: () => ({ status: 401 }) });
    await expect(ask(world)).rejects.toMatchObject({ code: "Unauthorized", service: "octavia", status: 401 });
    expect(world.sent).toHaveLength(2);
  });

  it("refused to many at once is replaced by one login", async () => {
    const world = scriptedCloud({
      services: ({ headers }) => (headers["x-auth-token"] === "token-1" ? { status: 401 } : zones),
    });
    await world.project.identify();
    await Promise.all(Array.from({ length: 100 }, () => ask(world)));
    expect(world.loginsSent).toHaveLength(2);
    expect(world.sent).toHaveLength(200);
  });

  it("is kept for each of very many credentials", async () => {
    const world = scriptedCloud();
    const clouds = Array.from({ length: 1_000 }, (_, index) =>
      withAuth({ type: "application-credential", credential: { id: `a${index}` }, secret: "s" }),
    );
    const askAll = async () => {
      for (const each of clouds) await world.openStack.project(each).identify();
    };
    await askAll();
    await askAll();
    expect(world.loginsSent).toHaveLength(clouds.length);
  });

  it("is forgotten when nobody has asked for it in an hour, however long it would be good", async () => {
    const world = scriptedCloud({ logins: (_, nth) => ticket(`t${nth}`, { expires_at: "2026-01-03T00:00:00Z" }) });
    const other = world.openStack.project({ ...cloud, verifyTls: false });
    await world.project.identify();
    for (let minutes = 0; minutes < 70; minutes += 10) {
      await other.identify();
      await world.clock.advance(600_000);
      world.openStack.project({ ...cloud, verifyTls: false });
    }
    expect(world.loginsSent).toHaveLength(2);
    await world.openStack.project({ ...cloud, verifyTls: false }).identify();
    expect(world.loginsSent).toHaveLength(2);
    await world.openStack.project(cloud).identify();
    expect(world.loginsSent).toHaveLength(3);
  });
});

describe("a caller who gives up", () => {
  it("leaves the login to the others who wait for it", async () => {
    let answer = () => {};
    const keystone = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const world = scriptedCloud({
      services: () => zones,
      logins: async () => {
        await keystone;
        return ticket("slow");
      },
    });
    const impatient = world.project.octavia.listProviders({ deadlineMs: 1_000 });
    const patient = ask(world);
    await expect(settled(world.clock, impatient)).rejects.toMatchObject({ code: "Timeout" });
    answer();
    expect(await settled(world.clock, patient)).toEqual([]);
    expect(world.loginsSent).toHaveLength(1);
  });
});

describe("the catalogue", () => {
  it("says where each service is, by interface and region", async () => {
    const world = scriptedCloud({ services: () => ({ json: { availabilityZoneInfo: [], extensions: [] } }) });
    const inside = world.openStack.project({ ...cloud, interface: "internal", region: "RegionTwo" });
    await inside.nova.listAvailabilityZones();
    await inside.neutron.extensions();
    expect(world.sent.map(({ url }) => url)).toEqual([
      "https://nova-2-internal.test/v2.1/os-availability-zone",
      "https://neutron-2-internal.test/v2.0/extensions",
    ]);
  });

  it("is read with or without a version at the end of an address", async () => {
    for (const url of ["https://lb.test", "https://lb.test/", "https://lb.test/v2.0", "https://lb.test/v2.0/lbaas/"]) {
      const endpoints = [{ interface: "public", region: "R", region_id: "R", url }];
      const world = scriptedCloud({
        logins: () => ticket("t", { catalog: [{ type: "load-balancer", endpoints }] }),
        services: () => zones,
      });
      await ask(world);
      expect(world.sent[0]?.url).toBe("https://lb.test/v2.0/lbaas/providers");
    }
  });

  it("of a compute service without a version is read as its second", async () => {
    for (const [url, path] of [
      ["https://nova.test", "/v2.1/os-availability-zone"],
      ["https://nova.test/v2.1/p1", "/v2.1/p1/os-availability-zone"],
      ["https://cloud.test/compute/v2/", "/compute/v2/os-availability-zone"],
      ["https://cloud.test/compute", "/compute/v2.1/os-availability-zone"],
    ] as const) {
      const endpoints = [{ interface: "public", region: "R", region_id: "R", url }];
      const world = scriptedCloud({
        logins: () => ticket("t", { catalog: [{ type: "compute", endpoints }] }),
        services: () => ({ json: { availabilityZoneInfo: [] } }),
      });
      await world.project.nova.listAvailabilityZones();
      expect(new URL(world.sent[0]?.url ?? "").pathname).toBe(path);
    }
  });

  it("without the service, or none in this region or interface, is said before anything is sent", async () => {
    const world = scriptedCloud();
    for (const place of [{ region: "Nowhere" }, { interface: "admin" as const }]) {
      await expect(world.openStack.project({ ...cloud, ...place }).octavia.listProviders()).rejects.toMatchObject({
        code: "NoSuchService",
        service: "octavia",
        message: expect.stringContaining("load-balancer"),
      });
    }
    expect(world.sent).toEqual([]);
  });

  it("tells which services there are, and one key for all who reach the same balancers", async () => {
    const { openStack } = scriptedCloud();
    const one = await openStack.project(cloud).identify();
    expect(one.services).toEqual(["compute", "identity", "load-balancer", "network"]);
    const same = await openStack.project({ ...cloud, region: "RegionOne", verifyTls: false }).identify();
    const other = await openStack.project({ ...cloud, region: "RegionTwo" }).identify();
    expect([same.endpointKey, same.region]).toEqual([one.endpointKey, "RegionOne"]);
    expect([one.region, other.region]).toEqual(["RegionOne", "RegionTwo"]);
    expect(other.endpointKey).not.toBe(one.endpointKey);
  });
});
