// What looking at a cluster costs on the real OpenStack: the bench's counts, held against its targets.

import { expect, test } from "vitest";
import { countCalls } from "../../../bench/api-endpoint-calls/count-calls.ts";
import { describeLab, labOpenStack } from "../../lab.ts";
import { testPatienceMs } from "../until.ts";

describeLab("the calls of a manager that observes three zones with three ports each", labOpenStack, (lab) => {
  test("are at most 2 + 2A to Octavia for a full look, and one while nothing moves", {
    timeout: testPatienceMs,
  }, async () => {
    const { observations, report } = await countCalls(lab, false);
    process.stdout.write(`${report}\n`);
    expect(observations.map(({ what }) => what)).toEqual(["full", "after one change", "undisturbed"]);
    // An observation without any call would have counted nothing.
    expect(observations.filter(({ ours, target }) => ours < 1 || ours > target)).toEqual([]);
  });
});
