import { describe, expect, test } from "vitest";
import { readInstallConfig } from "./install-config.ts";

function problemsOf(value: unknown): readonly string[] {
  const result = readInstallConfig(value);
  return result.ok ? [] : result.problems.map(({ where, message }) => `${where}: ${message}`);
}

describe("reading an install-config", () => {
  test("takes replicas as they stand, pool by pool", () => {
    const config = {
      controlPlane: { name: "master", replicas: 1 },
      compute: [
        { name: "worker", replicas: 2 },
        { name: "edge", replicas: 1 },
      ],
    };
    expect(readInstallConfig(config)).toEqual({
      ok: true,
      value: { controlPlane: 1, workers: [2, 1], arbiters: 0 },
      notes: [],
    });
  });

  test.each([{}, { auths: { "registry.test": {} } }, { apiVersion: "apps/v1", kind: "Deployment" }])(
    "does not take %j for an install-config that leaves everything to defaults",
    (value) => {
      expect(readInstallConfig(value)).toMatchObject({ ok: false, problems: [{ where: "install-config" }] });
    },
  );

  test("takes the installer's defaults and says each of them", () => {
    expect(readInstallConfig({ apiVersion: "v1" })).toEqual({
      ok: true,
      value: { controlPlane: 3, workers: [3], arbiters: 0 },
      notes: [
        "controlPlane is not set: the installer makes 3",
        "compute is not set: the installer makes one worker pool of 3",
      ],
    });
    expect(
      readInstallConfig({ controlPlane: {}, compute: [{ name: "worker" }, { name: "edge" }], arbiter: {} }),
    ).toEqual({
      ok: true,
      value: { controlPlane: 3, workers: [3, 0], arbiters: 0 },
      notes: [
        "controlPlane.replicas is not set: the installer makes 3",
        "compute[0].replicas is not set: the installer makes 3",
        "compute[1].replicas is not set: the installer makes 0",
        "arbiter.replicas is not set: the installer makes 0",
      ],
    });
  });

  test("does not guess where installers differ", () => {
    const config = { controlPlane: { replicas: 3 }, platform: { baremetal: { hosts: [{}] } } };
    expect(problemsOf(config)).toEqual([
      "compute: not set, and with platform.baremetal.hosts the default depends on the installer's version",
    ]);
    expect(problemsOf({ ...config, compute: [{ name: "worker" }] })).toHaveLength(1);
    expect(problemsOf({ ...config, compute: [{ name: "worker", replicas: 0 }] })).toEqual([]);
  });

  test("lists every problem, not the first", () => {
    const config = {
      controlPlane: { replicas: -1 },
      compute: [{ replicas: 1.5 }, { replicas: "two" }, 7],
      arbiter: { replicas: null, replica: 1 },
    };
    expect(problemsOf(config)).toEqual([
      "controlPlane.replicas: -1 is negative",
      "compute[0].replicas: 1.5 is not a whole number",
      'compute[1].replicas: "two" is not a whole number',
      "compute[2]: 7 is not a mapping",
      "arbiter.replica: the installer does not know this field and would take its default instead",
    ]);
  });

  test("refuses a control plane of none, unless it is elsewhere", () => {
    const config = { controlPlane: { replicas: 0 }, compute: [{ replicas: 2 }] };
    expect(problemsOf(config)).toEqual(["controlPlane.replicas: 0 control-plane machines make no cluster"]);
    expect(readInstallConfig(config, { external: true })).toMatchObject({
      ok: true,
      value: { controlPlane: "external", workers: [2] },
    });
  });

  test("refuses an arbiter beside a single control-plane machine", () => {
    expect(
      problemsOf({ controlPlane: { replicas: 1 }, compute: [{ replicas: 0 }], arbiter: { replicas: 1 } }),
    ).toHaveLength(1);
  });

  test.each(["controlplane", "control-plane", "controlPlanes"])(
    "does not take the misspelt %s for a default",
    (key) => {
      expect(problemsOf({ [key]: { replicas: 1 }, compute: [{ replicas: 0 }] })[0]).toContain(key);
    },
  );

  test.each(["replica", "Replicas", "repilcas", "replcas"])(
    "does not take the misspelt pool field %s for a default",
    (key) => {
      expect(problemsOf({ controlPlane: { [key]: 1 }, compute: [{ replicas: 0 }] })).toHaveLength(1);
    },
  );

  test("leaves alone what it does not read", () => {
    const config = {
      apiVersion: "v1",
      baseDomain: "example.test",
      metadata: { name: "x" },
      networking: {},
      controlPlane: { name: "master", architecture: "arm64", hyperthreading: "Enabled", platform: {}, replicas: 3 },
      compute: [{ replicas: 2 }],
    };
    expect(problemsOf(config)).toEqual([]);
  });

  test.each([null, "text", 3, []])("refuses %j as a whole", (value) => {
    expect(problemsOf(value)).toHaveLength(1);
  });
});
