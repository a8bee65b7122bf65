import { describe, expect, test } from "vitest";
import { simulate } from "../../src/bin/sim-runtime.ts";
import type { KubeTransport } from "../../src/ports/kube-transport.ts";
import { parseFaults } from "../../src/sim/faults/fault-text.ts";
import type { WorldOverrides } from "../../src/sim/processes/start-manager.ts";

const minutes = 60_000;

/** What the first of some seeds breaks that breaks anything, with these faults and no others. */
async function firstBroken(
  faults: string,
  overrides: () => WorldOverrides,
  seeds: number,
): Promise<string | undefined> {
  const drawn = parseFaults(faults) ?? [];
  expect(drawn.length).toBeGreaterThan(0);
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { violation } = await simulate(seed, { faults: drawn, overrides: overrides() });
    if (violation !== undefined) return violation.checker;
  }
  return undefined;
}

/** After a break it goes on from the newest version there is, not from the last one that it saw. */
function resumingTooLate(transport: KubeTransport): KubeTransport {
  const newest = new Map<string, string>();
  return {
    ...transport,
    send: async (request, options) => {
      const [where = ""] = request.path.split("?", 1);
      if (!request.path.includes("watch=")) {
        const response = await transport.send(request, options);
        if (!request.path.includes("limit=1") || response.status !== 200) return response;
        const chunks: Uint8Array[] = [];
        for await (const chunk of response.body) chunks.push(chunk);
        const list = JSON.parse(chunks.map((chunk) => new TextDecoder().decode(chunk)).join("")) as {
          readonly metadata: { readonly resourceVersion: string };
        };
        newest.set(where, list.metadata.resourceVersion);
        return { ...response, body: again(chunks) };
      }
      const version = newest.get(where);
      newest.delete(where);
      const path =
        version === undefined
          ? request.path
          : request.path.replace(/resourceVersion=\d+/, `resourceVersion=${version}`);
      return await transport.send({ ...request, path }, options);
    },
  };
}

async function* again(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  for (const chunk of chunks) yield chunk;
}

describe("faults of single watch events", () => {
  test(
    "an event lost with its stream finds a client that does not go on from before it",
    async () => {
      const faults = "watch-event-lost@0-40000*0.3";
      expect(await firstBroken(faults, () => ({ transport: resumingTooLate }), 20)).toBeDefined();
      expect(await firstBroken(faults, () => ({}), 5)).toBeUndefined();
    },
    5 * minutes,
  );

  test(
    "repeated and folded events and lost bookmarks are within what a client has to bear",
    async () => {
      const faults =
        "watches-restarted@0-40000,watch-event-repeated@0-40000,watch-events-folded@0-40000,bookmark-lost@0-40000";
      const drawn = parseFaults(faults) ?? [];
      const struck = new Set<string>();
      for (let seed = 1; seed <= 6; seed += 1) {
        const { violation, coverage } = await simulate(seed, { faults: drawn });
        expect(violation).toBeUndefined();
        for (const fault of Object.keys(coverage.faults)) struck.add(fault);
      }
      expect([...struck].toSorted()).toEqual(drawn.map(({ name }) => name).toSorted());
    },
    5 * minutes,
  );
});
