import { expect, test } from "vitest";
import { VirtualClock } from "../../../../test/support/virtual-clock.ts";
import { present } from "../../../core/present.ts";
import { seededRandom } from "../../time/seeded-random.ts";
import { type CloudHttpResponse, handleCloudRequest } from "./http-front.ts";
import { authenticate } from "./keystone/authenticate.ts";
import { createLabShaped, type LabShaped } from "./lab-shaped.ts";

function open(pageLimit?: number) {
  const clock = new VirtualClock();
  const lab = createLabShaped({ clock, random: seededRandom(2), ...present({ pageLimit }) });
  const { id: token } = authenticate(lab.fake.cloud, lab.clouds.password.auth);
  return { ...lab, clock, token };
}

async function send(
  { fake, token }: LabShaped & { readonly token: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<CloudHttpResponse> {
  const headers = { "x-auth-token": token };
  const answer = await handleCloudRequest(fake, {
    method,
    path,
    headers,
    body: body === undefined ? "" : JSON.stringify(body),
  });
  if (answer === "hang-up") throw new Error("hung up");
  return answer;
}

const balancers = "/load-balancer/v2.0/lbaas/loadbalancers";

test("pages follow each other until none is left, filters given again with each", async () => {
  const setup = open(3);
  for (let n = 0; n < 7; n += 1) {
    const body = { loadbalancer: { name: n % 2 === 0 ? "even" : "odd", vip_subnet_id: setup.subnetIds[0] } };
    expect((await send(setup, "POST", balancers, body)).status).toBe(201);
  }
  const seen: string[] = [];
  let path: string | undefined = `${balancers}?name=even&limit=2`;
  while (path !== undefined) {
    const page = JSON.parse((await send(setup, "GET", path)).body) as {
      loadbalancers: { id: string; name: string }[];
      loadbalancers_links: { rel: string; href: string }[];
    };
    expect(page.loadbalancers.every(({ name }) => name === "even")).toBe(true);
    seen.push(...page.loadbalancers.map(({ id }) => id));
    const next = page.loadbalancers_links.find(({ rel }) => rel === "next");
    expect(next?.href ?? "").not.toContain("even");
    const marker = page.loadbalancers.at(-1)?.id;
    path = next === undefined ? undefined : `${balancers}?name=even&limit=2&marker=${marker}`;
  }
  expect(new Set(seen).size).toBe(4);
  expect(seen).toHaveLength(4);
});

test("a page is never longer than the server likes", async () => {
  const setup = open(2);
  for (let n = 0; n < 3; n += 1)
    await send(setup, "POST", balancers, { loadbalancer: { vip_subnet_id: setup.subnetIds[0] } });
  const { loadbalancers } = JSON.parse((await send(setup, "GET", `${balancers}?limit=100`)).body) as {
    loadbalancers: unknown[];
  };
  expect(loadbalancers).toHaveLength(2);
});

test("an outage is a closed connection, a rate limit says how long to wait", async () => {
  const setup = open();
  const stop = setup.fake.addCallPlan(() => ({ turnAway: "unreachable" }));
  const request = { method: "GET", path: balancers, headers: { "x-auth-token": setup.token }, body: "" };
  expect(await handleCloudRequest(setup.fake, request)).toBe("hang-up");
  stop();
  setup.fake.addCallPlan(() => ({ turnAway: { status: 429, retryAfterMs: 1_500 } }));
  expect(await send(setup, "GET", balancers)).toMatchObject({ status: 429, headers: { "retry-after": "2" } });
});

test("a service that the cloud does not have is not there, nor is a path that nobody knows", async () => {
  const setup = open();
  expect((await send(setup, "GET", "/compute/v2.1/servers/x")).status).toBe(404);
  expect((await send(setup, "GET", "/load-balancer/v2.0/lbaas/teapots")).status).toBe(404);
  expect((await send(setup, "GET", "/elsewhere")).status).toBe(404);
});

test("v2 and v2.0 are one, and what is no JSON is refused", async () => {
  const setup = open();
  expect((await send(setup, "GET", "/load-balancer/v2/lbaas/loadbalancers")).status).toBe(200);
  const headers = { "x-auth-token": setup.token };
  const answer = await handleCloudRequest(setup.fake, { method: "POST", path: balancers, headers, body: "{" });
  expect(answer).toMatchObject({ status: 400 });
});
