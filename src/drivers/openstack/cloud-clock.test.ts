import { expect, test } from "vitest";
import { cloud, scriptedCloud } from "../../../test/support/scripted-cloud.ts";

const date = "Thu, 01 Jan 2026 02:00:00 GMT";
const dateMs = Date.UTC(2026, 0, 1, 2);

test("a cloud's time is that of its latest answer, and goes on from there whatever our own clock shows", async () => {
  const { openStack: client, clock } = scriptedCloud({
    services: () => ({ headers: { date }, json: { providers: [] } }),
  });
  const project = client.project(cloud);
  expect(await project.timeMs()).toBeUndefined();
  await project.octavia.listProviders({});
  await clock.advance(5_000);
  clock.setWallSkew(-7_200_000);
  expect(await client.project(cloud).timeMs()).toBe(dateMs + 5_000);
});

test.each([{}, { date: "soon" }])("answers that bear no date tell no time: %j", async (headers) => {
  const { openStack: client } = scriptedCloud({ services: () => ({ headers, json: { providers: [] } }) });
  const project = client.project(cloud);
  await project.octavia.listProviders({});
  expect(await project.timeMs()).toBeUndefined();
});
