import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { Plan } from "../core/plan.ts";
import { controllerNames, enabledFeatures } from "./all.ts";
import { checkConfiguration, guardOf, leaseTimingsOf, printConfiguration, readConfiguration } from "./configuration.ts";

const controllers = ["topology", "placement"];
const read = (text: string, flags = {}) => readConfiguration({ text, flags, controllers }).configuration;
const problems = (text: string, flags = {}): readonly string[] => {
  const checked = checkConfiguration({ text, path: "mainstay.yaml", flags, controllers });
  return "problems" in checked ? checked.problems : [];
};

describe("the configuration", () => {
  test("works without a word: everything has a default", () => {
    const configuration = read("");
    expect(configuration).toMatchObject({
      leaderElection: { enabled: true, namespace: "mainstay-system", durationSeconds: 15 },
      log: { level: "info" },
      guards: [],
      featureGates: { MutableTopology: false },
      controllers: { topology: { enabled: true, guards: [] } },
    });
    expect(leaseTimingsOf(configuration.leaderElection)).toEqual({
      durationMs: 15_000,
      renewDeadlineMs: 10_000,
      retryMs: 2_000,
    });
  });

  test("lists every problem with its path", () => {
    const text = `
leaderElection: { durationSeconds: 5 }
health: { port: 99999 }
log: { level: loud }
guards: [no-deletions]
controllers: { topology: { concurrency: 0 } }
`;
    const found = problems(text);
    expect(found).toHaveLength(5);
    const paths = [
      "leaderElection: renew deadline",
      "health.port",
      "log.level",
      "guards.0",
      "controllers.topology.concurrency",
    ];
    const unnamed = paths.filter((path) => !found.some((problem) => problem.startsWith(`mainstay.yaml: ${path}`)));
    expect(unnamed).toEqual([]);
  });

  test("names the key that was probably meant", () => {
    expect(problems("leaderElections: {}\nhealth: { prot: 1 }\ncontrollers: { topologie: {} }")).toEqual([
      "mainstay.yaml: health.prot: not known; did you mean port?",
      "mainstay.yaml: controllers.topologie: not known; did you mean topology?",
      "mainstay.yaml: leaderElections: not known; did you mean leaderElection?",
    ]);
  });

  test("lists what is known where nothing is near", () => {
    expect(problems("health: { colour: red }")).toEqual([
      "mainstay.yaml: health.colour: not known; known are bind, port",
    ]);
  });

  test("refuses a feature gate that does not exist", () => {
    expect(problems("featureGates: { Flying: true }")).toEqual([
      'mainstay.yaml: feature gate "Flying" is not known; known are MutableTopology',
    ]);
  });

  test("names unknown feature gates beside every other problem, not after they are mended", () => {
    expect(problems("featureGates: { Flying: true }\nlog: { level: loud }")).toHaveLength(2);
  });

  test("names the value, and tells whether the file or a flag is to blame", () => {
    expect(
      problems("health: { port: 70000 }\nnamespace: Here", { watchFilter: "a b", log: { level: "loud" } }),
    ).toEqual([
      expect.stringMatching(/^mainstay\.yaml: namespace: .*: "Here"$/),
      expect.stringMatching(/^flags: watchFilter: .*: "a b"$/),
      expect.stringMatching(/^mainstay\.yaml: health\.port: .*: 70000$/),
      expect.stringMatching(/^flags: log\.level: .*: "loud"$/),
    ]);
    expect(problems("", { featureGates: { Flying: true } })).toMatchObject([
      expect.stringMatching(/^flags: feature gate/),
    ]);
  });

  test("says where YAML is broken", () => {
    expect(problems("a: [1")).toMatchObject([expect.stringContaining("mainstay.yaml")]);
  });

  test("is not anything but a map", () => {
    expect(problems("- a")).toMatchObject([expect.stringContaining("the file: ")]);
  });

  test("is overridden by flags, field by field", () => {
    const configuration = read("log: { level: debug }\nhealth: { bind: 0.0.0.0, port: 1 }\nguards: [no-deletes]", {
      health: { port: 2 },
      guards: ["dry-run"],
      watchFilter: undefined,
    });
    expect(configuration).toMatchObject({
      log: { level: "debug" },
      health: { bind: "0.0.0.0", port: 2 },
      guards: ["dry-run"],
    });
  });

  test("checks flags as it checks the file", () => {
    expect(problems("", { watchFilter: "not a label!" })).toMatchObject([expect.stringContaining("watchFilter")]);
  });

  test("prints so that it can be read back to the same", () => {
    const configuration = read(
      "watchFilter: blue\nfeatureGates: { MutableTopology: true }\ncontrollers: { topology: { concurrency: 3, guards: [max-removals=2] } }",
    );
    const printed = printConfiguration(configuration);
    expect(read(printed)).toEqual(configuration);
    expect(parse(printed)).toMatchObject({ watchFilter: "blue" });
  });
});

describe("guards from the configuration", () => {
  const plan: Plan = {
    actions: [
      { kind: "add", because: "ObjectNotFound" },
      { kind: "take", because: "ObjectNotFound", removes: "a thing" },
    ],
    waits: [],
    refusals: [],
  };

  test("count for all controllers or for one", () => {
    const configuration = read("guards: [no-deletes]\ncontrollers: { topology: { guards: [dry-run] } }");
    expect(guardOf(configuration, "placement")(plan).actions.map(({ kind }) => kind)).toEqual(["add"]);
    expect(guardOf(configuration, "topology")(plan).actions).toEqual([]);
  });
});

describe("the list of controllers", () => {
  const product = (text: string) => readConfiguration({ text, controllers: controllerNames }).configuration;

  test("runs every controller under the name it is configured by", () => {
    expect(enabledFeatures(product("")).map(({ name }) => name)).toEqual(controllerNames);
  });

  test("leaves out what is switched off", () => {
    expect(
      enabledFeatures(product("controllers: { topology: { enabled: false } }")).map(({ name }) => name),
    ).not.toContain("topology");
  });
});
