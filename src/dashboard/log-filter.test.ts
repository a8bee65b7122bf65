import { describe, expect, test } from "vitest";
import { sampleLog } from "../../test/server/contract-sample.ts";
import { filterLog, logChoices } from "./log-filter.ts";
import type { LogFilter } from "./routes.ts";

const idsWith = (filter: LogFilter) => filterLog(sampleLog, filter).map(({ id }) => id);

describe("the filter of the plan log", () => {
  test.each([
    [{}, ["4", "3", "2", "1"]],
    [{ result: "done" }, ["3"]],
    [{ because: "TopologyEmpty" }, ["3", "2"]],
    [{ because: "TopologyEmpty", result: "failed" }, ["2"]],
    [{ controller: "placement" }, []],
    [{ object: "infrastructures.config.openshift.io/cluster" }, ["4", "3", "2", "1"]],
    [{ object: "infrastructures.config.openshift.io/other" }, []],
    [{ text: "NO connection" }, ["2", "1"]],
    [{ text: "connection orphaned" }, ["1"]],
  ] satisfies [LogFilter, string[]][])("%j lets %j through", (filter, ids) => expect(idsWith(filter)).toEqual(ids));

  test("offers what occurs in the log, and keeps offering what is chosen", () => {
    const choices = logChoices(sampleLog, { controller: "placement", object: "services/edge/web" });
    expect(choices.controllers).toEqual(["placement", "topology"]);
    expect(choices.reasons).toEqual(["TopologyDrift", "TopologyEmpty", "TopologyReportOrphaned"]);
    expect(choices.objects.map(({ name }) => name)).toEqual(["Infrastructure cluster", "services/edge/web"]);
  });
});
