import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { controllerNames } from "../../core/job/declaration.ts";
import type { Plan } from "../../core/plan.ts";
import { allJobs } from "../../jobs/all.ts";
import { allFeatures } from "../../jobs/features.ts";
import { topologyJob } from "../../jobs/topology/job.ts";
import { noOpenStack } from "../../sim/fakes/openstack/no-openstack.ts";
import {
  type ConfigurationFlag,
  checkConfiguration,
  guardOf,
  leaseTimingsOf,
  printConfiguration,
  readConfiguration,
} from "./configuration.ts";
import { enabledFeatures } from "./enabled-features.ts";

const { topology } = topologyJob.controllers;
const jobs = [{ ...topologyJob, controllers: { topology, placement: topology } }];
const read = (text: string, flags: readonly ConfigurationFlag[] = []) =>
  readConfiguration({ text, flags, jobs }).configuration;
const problems = (text: string, flags: readonly ConfigurationFlag[] = []): readonly string[] => {
  const checked = checkConfiguration({ text, path: "mainstay.yaml", flags, jobs });
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
    const flags = [
      { flag: "--watch-filter", path: ["watchFilter"], value: "a b" },
      { flag: "--log-level", path: ["log", "level"], value: "loud" },
      { flag: "--guard", path: ["guards"], value: ["dry-run", "wet-run"] },
      { flag: "--feature-gates", path: ["featureGates", "Flying"], value: true },
    ];
    expect(problems("health: { port: 70000 }\nnamespace: Here\nfeatureGates: { Diving: true }", flags)).toEqual([
      expect.stringMatching(/^mainstay\.yaml: namespace: .*: "Here"$/),
      expect.stringMatching(/^--watch-filter: .*: "a b"$/),
      "mainstay.yaml: health.port: 70000 is not a whole number from 0 to 65535",
      '--log-level: "loud" is not one of debug, info, warn, error',
      expect.stringMatching(/^--guard: guard "wet-run" is not known/),
      expect.stringMatching(/^mainstay\.yaml: feature gate "Diving"/),
      expect.stringMatching(/^--feature-gates: feature gate "Flying"/),
    ]);
  });

  test("says of every value what may stand there instead, in words", () => {
    const text = `
kubeconfig: ""
namespace: 5
leaderElection: none
client: { qps: -1, burst: 1.5 }
featureGates: { MutableTopology: "yes" }
guards: dry-run
controllers: { topology: { enabled: maybe } }
topology: { cluster: { namespace: a } }
`;
    expect(problems(text)).toEqual([
      'mainstay.yaml: kubeconfig: "" is not text with something in it',
      "mainstay.yaml: namespace: 5 is not text",
      'mainstay.yaml: leaderElection: "none" is not a mapping',
      "mainstay.yaml: client.qps: -1 is not a number above 0 and up to 10000",
      "mainstay.yaml: client.burst: 1.5 is not a whole number from 1 to 10000",
      'mainstay.yaml: featureGates.MutableTopology: "yes" is not true or false',
      'mainstay.yaml: guards: "dry-run" is not a list',
      'mainstay.yaml: controllers.topology.enabled: "maybe" is not true or false',
      "mainstay.yaml: topology.cluster.name: it is not set; write text with something in it",
    ]);
  });

  test("says where YAML is broken", () => {
    expect(problems("a: [1")).toMatchObject([expect.stringContaining("mainstay.yaml")]);
    expect(problems("a: *x")).toEqual([expect.stringMatching(/^mainstay\.yaml: Unresolved alias .*: x\./)]);
  });

  test("may consist of comments", () => {
    expect(read("# nothing yet\n")).toEqual(read(""));
  });

  test("is not anything but a map", () => {
    expect(problems("- a")).toEqual(['mainstay.yaml: ["a"] is not a mapping']);
  });

  test("is overridden by flags, field by field", () => {
    const text = "log: { level: debug }\nhealth: { bind: 0.0.0.0, port: 1 }\nguards: [no-deletes]";
    const configuration = read(text, [
      { flag: "--health-port", path: ["health", "port"], value: 2 },
      { flag: "--guard", path: ["guards"], value: ["dry-run"] },
    ]);
    expect(configuration).toMatchObject({
      log: { level: "debug" },
      health: { bind: "0.0.0.0", port: 2 },
      guards: ["dry-run"],
    });
  });

  test("checks flags as it checks the file", () => {
    const flag = { flag: "--watch-filter", path: ["watchFilter"], value: "not a label!" };
    expect(problems("", [flag])).toMatchObject([expect.stringContaining("--watch-filter: ")]);
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
  const product = (text: string) => readConfiguration({ text, jobs: allJobs }).configuration;

  test("runs every controller under the name it is configured by", () => {
    expect(enabledFeatures(product(""), allFeatures, { openStack: noOpenStack }).map(({ name }) => name)).toEqual(
      controllerNames(allJobs),
    );
  });

  test("leaves out what is switched off", () => {
    expect(
      enabledFeatures(product("controllers: { topology: { enabled: false } }"), allFeatures, {
        openStack: noOpenStack,
      }).map(({ name }) => name),
    ).not.toContain("topology");
  });
});
