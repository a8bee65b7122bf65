// What is rendered for keepalived, judged by keepalived itself, in a network namespace that ends with the command that made it.

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderKeepalived } from "../../src/jobs/gateway/core/keepalived/render-keepalived.ts";
import type { GatewayDocument } from "../../src/jobs/gateway/core/model/document.ts";
import { sampleDocument, sampleGroup, sampleLocal } from "../../src/jobs/gateway/sim/sample-document.ts";
import { describeLab, type LabPart } from "../lab.ts";

const run = promisify(execFile);

// Interfaces are veth pairs: not every kernel has dummies. keepalived wants addresses of its own on them.
const links = [
  "for name in ext0 int0; do ip link add $name type veth peer name peer-$name; ip link set $name up; ip link set peer-$name up; done",
  "ip address add 192.0.2.1/24 dev ext0",
  "ip address add 198.19.0.1/16 dev int0",
  'exec keepalived --config-test --use-file "$0"',
].join(" && ");

async function judge(file: string): Promise<{ readonly ok: boolean; readonly said: string }> {
  return await run("unshare", ["--net", "sh", "-c", links, file]).then(
    ({ stderr }) => ({ ok: true, said: stderr }),
    (error: unknown) => ({
      ok: false,
      said: error instanceof Error && "stderr" in error ? String(error.stderr) : String(error),
    }),
  );
}

const keepalived: LabPart<{ readonly available: true }> = async () => {
  try {
    await run("unshare", ["--net", "keepalived", "--version"]);
    return { available: true };
  } catch {
    return {
      available: false,
      why: "keepalived cannot be run in a network namespace",
      how: "apt-get install keepalived, as root",
    };
  }
};

async function judgeDocument(
  document: Pick<GatewayDocument, "vrrp" | "groups" | "addresses">,
  change = (text: string) => text,
) {
  const folder = await mkdtemp(join(tmpdir(), "mainstay-keepalived-"));
  try {
    const settings = {
      readyFile: join(folder, "ready"),
      compat: { password: "p,a:s;s=" },
    };
    await writeFile(settings.readyFile, "0\n");
    const file = join(folder, "keepalived.conf");
    await writeFile(file, change(renderKeepalived(document, sampleLocal(), settings)), { mode: 0o600 });
    return await judge(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const v4 = fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 254 })).map(([a, b]) => `198.18.${a}.${b}`);
const v6 = fc.tuple(fc.nat(0xffff), fc.nat(0xffff)).map(([a, b]) => `fd00:e::${a.toString(16)}:${b.toString(16)}`);
const documents = fc
  .record({
    mode: fc.constantFrom("vrrp3" as const, "compat" as const),
    advertIntervalMs: fc.constantFrom(10, 50, 100, 1_000, 40_950),
    isUnicast: fc.boolean(),
    places: fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }),
    addresses: fc.uniqueArray(fc.oneof(v4, v6), { minLength: 1, maxLength: 40 }),
  })
  .map(({ mode, advertIntervalMs, isUnicast, places, addresses }) =>
    sampleDocument({
      vrrp: { mode, advertIntervalMs, unicast: isUnicast ? { gw1: "192.0.2.1", peer0: "192.0.2.2" } : {} },
      groups: places.map((place, index) =>
        sampleGroup({
          name: `group-${index}`,
          virtualRouterId: index + 1,
          order: Array.from({ length: 10 }, (_, at) => (at === place ? "gw1" : `peer${at}`)),
          sourceAddresses: [`198.19.1.${index + 1}`, `fd00:c::${index + 1}`, `198.19.2.${index + 1}`],
        }),
      ),
      addresses: addresses.map((address, index) => ({ address, group: `group-${index % places.length}` })),
    }),
  );

describeLab("keepalived's configuration, as keepalived reads it", keepalived, () => {
  test("one that is broken is refused: this judge can say no", async () => {
    expect(await judgeDocument(sampleDocument(), (text) => text.replace("priority", "prioriti"))).toMatchObject({
      ok: false,
    });
  });

  test("any document of up to five groups and ten gateways is taken, without a word of complaint", async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        expect(await judgeDocument(document)).toEqual({ ok: true, said: "" });
      }),
      { numRuns: 25 },
    );
  });

  test("a gateway that carries nothing yet has a configuration, too", async () => {
    expect(await judgeDocument(sampleDocument({ groups: [], forwardings: [] }))).toEqual({ ok: true, said: "" });
  });
});
