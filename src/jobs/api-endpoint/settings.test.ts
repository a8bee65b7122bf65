import { describe, expect, test } from "vitest";
import { checkConfiguration, printConfiguration, settingsOf } from "../../cli/configuration/configuration.ts";
import { apiEndpointJob } from "./job.ts";

const jobs = [apiEndpointJob];
const check = (text: string) => checkConfiguration({ text, path: "mainstay.yaml", jobs });

function settings(text: string) {
  const checked = check(text);
  if ("problems" in checked) throw new Error(checked.problems.join("\n"));
  return settingsOf(checked.configuration, apiEndpointJob);
}

function problems(text: string): readonly string[] {
  const checked = check(text);
  return "problems" in checked ? checked.problems : [];
}

const defaults = settings("");

test("without a word everything has a default", () => {
  expect(defaults).toEqual({
    claims: "annotated",
    observeAgainSeconds: 30,
    probe: "none",
    probeIntervalSeconds: 30,
    probeTimeoutSeconds: 3,
  });
});

describe("how often a quiet cluster is observed", () => {
  test.each(["observeAgainSeconds", "relookSeconds"])("is set by %s", (name) => {
    expect(settings(`apiEndpoint: {${name}: 7}`)).toEqual({ ...defaults, observeAgainSeconds: 7 });
  });

  test("is not set by both names at once, even to the same", () => {
    expect(problems("apiEndpoint: {observeAgainSeconds: 7, relookSeconds: 7}")).toEqual([
      "mainstay.yaml: apiEndpoint: observeAgainSeconds and relookSeconds are two names of one setting; keep observeAgainSeconds alone",
    ]);
  });

  test.each(["observeAgainSeconds", "relookSeconds"])("has its limits under the name %s", (name) => {
    expect(problems(`apiEndpoint: {${name}: 0}`)).toEqual([
      `mainstay.yaml: apiEndpoint.${name}: 0 is not a number from 1 to 3600`,
    ]);
  });

  test("is printed under its present name, so that it can be read back", () => {
    const checked = check("apiEndpoint: {relookSeconds: 7}");
    const printed = "configuration" in checked ? printConfiguration(checked.configuration) : "";
    expect(printed).not.toContain("relookSeconds");
    expect(settings(printed)).toEqual({ ...defaults, observeAgainSeconds: 7 });
  });
});
