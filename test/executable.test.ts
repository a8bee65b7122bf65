// The single executable: built, and started as the agent of a gateway on a machine whose path leads to no Node.

import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { buildExecutable } from "../scripts/build-executable.ts";
import { until } from "./lab/until.ts";
import { describeLab, labGateway, labParts, slowSuites } from "./lab.ts";
import { makeNamespace, type Namespace, removeLeftNamespaces } from "./netns/namespace.ts";

const run = promisify(execFile);

describeLab("the executable", labParts({ gateway: labGateway, time: slowSuites }), () => {
  let folder = "";
  let space: Namespace | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mainstay-executable-"));
    await removeLeftNamespaces();
    space = await makeNamespace("executable");
    await space.ip(["link set lo up"]);
  });
  afterAll(async () => {
    await space?.remove();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  test("is an agent that answers", async () => {
    const program = await buildExecutable(join(folder, "built"));
    expect((await run(program, ["--version"])).stdout.trim()).toMatch(/^\d+\.\d+\.\d+/);
    const [config, secretFile] = [join(folder, "agent.yaml"), join(folder, "secret")];
    await writeFile(secretFile, Buffer.from("a key for this test").toString("base64"));
    await writeFile(
      config,
      JSON.stringify({
        name: "gw1",
        externalInterface: "lo",
        internalInterface: "lo",
        folder: join(folder, "state"),
        access: { secretFile },
      }),
    );
    const [command = "", ...leading] = space?.prefix ?? [];
    const args = [...leading, program, "agent", "--config", config];
    const agent = spawn(command, args, {
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [agent.stdout, agent.stderr])
      stream.on("data", (bytes: Buffer) => void (said += bytes.toString()));
    const question = { do: "http", method: "GET", port: 15_203, path: "/healthz", headers: {}, body: "" } as const;
    const answer = await until("the executable to answer", async () => {
      if (agent.exitCode !== null) throw new Error(`it has ended: ${said}`);
      return await space?.ask(question).catch(() => undefined);
    });
    expect(z.object({ status: z.number() }).parse(answer).status).toBe(200);
  });
});
