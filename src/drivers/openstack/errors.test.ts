import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  cloud,
  lostConnection,
  type ScriptedAnswer,
  scriptedCloud,
  settled,
  ticket,
} from "../../../test/support/scripted-cloud.ts";
import type { CloudAuth } from "../../core/openstack/cloud-config.ts";
import type { OpenStackErrorCode } from "../../core/openstack/openstack-error.ts";

const octavia = (status: number, faultstring: string): ScriptedAnswer => ({
  status,
  json: { faultcode: "Client", faultstring, debuginfo: null },
});
const neutron = (status: number, type: string, message: string): ScriptedAnswer => ({
  status,
  json: { NeutronError: { type, message, detail: "" } },
});

describe("what a service says", () => {
  const balancer = { name: "api-az1", description: "", tags: [], vipSubnetId: "s1" };

  it.each<readonly [OpenStackErrorCode, ScriptedAnswer, string]>([
    ["NotFound", octavia(404, "Subnet s1 not found."), "Subnet s1 not found."],
    ["Conflict", octavia(409, "Load Balancer b1 is immutable and cannot be updated."), "immutable"],
    ["BadRequest", octavia(400, "Invalid availability zone."), "Invalid availability zone."],
    ["Forbidden", octavia(403, "Policy does not allow this request to be performed."), "Policy"],
    ["QuotaExceeded", octavia(403, "Quota has been met for resources: Load Balancer"), "Quota has been met"],
    ["Unsupported", octavia(501, "Provider 'ovn' does not support a requested option"), "does not support"],
    ["ServerError", octavia(500, "Provider 'amphora' reports error: IP address 10.0.1.9 already allocated"), "already"],
    ["BadRequest", { status: 418, text: "" }, "HTTP 418"],
  ])("becomes %s in Octavia, in its own words", async (code, answer, words) => {
    const { project } = scriptedCloud({ services: () => answer });
    await expect(project.octavia.createLoadBalancer(balancer)).rejects.toMatchObject({
      code,
      service: "octavia",
      operation: "create load balancer",
      status: answer.status,
      message: expect.stringMatching(new RegExp(`^load balancer api-az1: create: .*${words}`)),
    });
  });

  it.each<readonly [OpenStackErrorCode, string | undefined, ScriptedAnswer]>([
    ["QuotaExceeded", "OverQuota", neutron(409, "OverQuota", "Quota exceeded for resources: ['floatingip'].")],
    [
      "QuotaExceeded",
      "AllowedAddressPairExhausted",
      neutron(400, "AllowedAddressPairExhausted", "The number of allowed address pair exceeds the maximum 10."),
    ],
    [
      "Conflict",
      "FloatingIPPortAlreadyAssociated",
      neutron(409, "FloatingIPPortAlreadyAssociated", "Cannot associate floating IP"),
    ],
    [
      "NotFound",
      "ExternalGatewayForFloatingIPNotFound",
      neutron(404, "ExternalGatewayForFloatingIPNotFound", "External network is not reachable"),
    ],
    ["BadRequest", undefined, { status: 400, json: { NeutronError: "Attribute 'tags' not allowed in POST" } }],
    [
      "Forbidden",
      "PolicyNotAuthorized",
      neutron(403, "PolicyNotAuthorized", "rule:create_floatingip is disallowed by policy"),
    ],
  ])("becomes %s in Neutron, with its name %s", async (code, type, answer) => {
    const { project } = scriptedCloud({ services: () => answer });
    const wanted = { floatingNetworkId: "n1", description: "ours" };
    await expect(project.neutron.createFloatingIp(wanted)).rejects.toMatchObject({ code, type, service: "neutron" });
  });

  it("of too many address pairs comes with whom to ask, and not with a project's quota", async () => {
    const { project } = scriptedCloud({
      services: () => neutron(400, "AllowedAddressPairExhausted", "the maximum 10"),
    });
    await expect(project.neutron.updatePort("v1", { allowedAddressPairs: [] })).rejects.toMatchObject({
      hint: expect.stringContaining("max_allowed_address_pair"),
    });
  });

  it("is found in Nova's answers and in a proxy's page, too", async () => {
    const world = scriptedCloud({
      services: (_, nth) =>
        nth === 1
          ? { status: 404, json: { itemNotFound: { code: 404, message: "Instance s1 could not be found." } } }
          : { status: 413, text: "<html><head><title>413 Too large</title></head><body>x</body></html>" },
    });
    await expect(world.project.nova.getServer("s1")).rejects.toMatchObject({
      message: "server s1: get: Instance s1 could not be found. (HTTP 404)",
    });
    await expect(world.project.nova.getServer("s1")).rejects.toMatchObject({
      message: "server s1: get: 413 Too large (HTTP 413)",
    });
  });
});

describe("secrets", () => {
  const secretMarker = 'sw0rdf!sh&<marker> "quoted"';
  const spellings = [
    secretMarker,
    encodeURIComponent(secretMarker),
    JSON.stringify(secretMarker).slice(1, -1),
    Buffer.from(secretMarker).toString("base64"),
  ];
  const scope = { id: "p1" };
  const auths: readonly CloudAuth[] = [
    { type: "password", user: { id: "u" }, password: secretMarker, scope },
    { type: "application-credential", credential: { id: "a" }, secret: secretMarker },
    { type: "token", token: secretMarker, scope },
  ];
  const echo = spellings.join(" and ");
  const failure = (): Error => {
    const cause = lostConnection();
    cause.message = `https://ops:${secretMarker}@proxy.test said ${echo}`;
    return Object.assign(new Error(`connect to https://x.test/?q=${echo} failed`, { cause }), { code: "ECONNRESET" });
  };
  const answers: readonly (ScriptedAnswer | Error)[] = [
    octavia(409, `you sent ${echo}`),
    neutron(409, "OverQuota", echo),
    { status: 400, json: { error: { message: echo } } },
    { status: 400, text: echo },
    { status: 200, text: echo },
    { status: 200, json: { loadbalancer: { [echo]: echo, id: 5 } } },
    failure(),
  ];

  /** Everything of an error that anybody could print. */
  const allOf = (error: unknown) => `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)}`;

  it("never get into an error, whichever part of the cloud echoes them: message, hint, cause, stack", async () => {
    for (const auth of auths) {
      for (const answer of answers) {
        const asService = scriptedCloud({ services: () => answer, logins: () => ticket(secretMarker) });
        const asKeystone = scriptedCloud({ logins: () => answer });
        for (const { openStack, clock } of [asService, asKeystone]) {
          const asked = openStack.project({ ...cloud, auth }).octavia.getLoadBalancer("b1");
          const error: unknown = await settled(clock, asked).catch((caught: unknown) => caught);
          expect(error).toBeInstanceOf(Error);
          for (const secret of spellings) expect(allOf(error)).not.toContain(secret);
        }
      }
    }
  });

  it("are the token, too, once there is one", async () => {
    const token = "gAAAAABmarked-token-that-nobody-may-see";
    const { project } = scriptedCloud({
      logins: () => ticket(token),
      services: ({ headers }) => octavia(409, `token ${headers["x-auth-token"]} is odd`),
    });
    await expect(project.octavia.version()).rejects.toMatchObject({
      message: "versions: list: token [redacted] is odd (HTTP 409)",
    });
  });

  it("are no part of an address or of what the meter hears", async () => {
    const world = scriptedCloud({ services: () => ({ json: { providers: [] } }) });
    const project = world.openStack.project({ ...cloud, auth: { type: "token", token: secretMarker } });
    await project.octavia.listProviders();
    const seen = JSON.stringify([
      world.sent.map(({ url }) => url),
      world.loginsSent.map(({ url }) => url),
      world.observed,
    ]);
    for (const secret of spellings) expect(seen).not.toContain(secret);
  });
});
