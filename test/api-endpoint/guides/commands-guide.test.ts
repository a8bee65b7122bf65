// docs/guides/api-endpoint-commands.md tells the truth: each of its commands runs as written and ends well.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { mainstay } from "../world/endpoint-commands.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

test("every command of the guide works on a cluster with zones", async () => {
  const guide = readFileSync(new URL("../../../docs/guides/api-endpoint-commands.md", import.meta.url), "utf8");
  const blocks = [...guide.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = ""]) => block.split("\n"));
  const commands = blocks
    .filter((line) => line.startsWith("mainstay "))
    .map((line) => line.replace(/ *[#>].*$/, "").trim());
  expect(commands.length).toBeGreaterThan(5);
  const world = new EndpointWorld();
  await world.furnish();
  const { manager } = world.work();
  const spec = {
    controlPlaneEndpoint: { host: "api.blue.example.com", port: 6443 },
    apiServerLoadBalancer: world.zones(),
  };
  await world.cluster("blue", { spec });
  for (const zone of ["az1", "az2", "az3"]) await world.machine("blue", zone);
  await world.clock.advance(120_000);
  const { apiVersion, kind, spec: whole } = await world.read("blue");
  const files = { "blue.yaml": stringify({ apiVersion, kind, metadata: { name: "blue", namespace }, spec: whole }) };
  for (const command of commands) {
    const { code, err } = await mainstay(world, command.split(" ").slice(1), files);
    // No manager runs beside the commands of a guide.
    const said = err.replace(/^note: Configuration: the defaults;.*$/gm, "").trim();
    expect([command, code, said]).toEqual([command, 0, ""]);
  }
  await manager.stop();
});
