// status, explain, plan and doctor from end to end, on whichever API server they are given.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { customResourceDefinitions } from "../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../src/apis/kube/kube-object.ts";
import type { Finding } from "../../src/cli/doctor/finding.ts";
import type { Status } from "../../src/cli/status/read-status.ts";
import { controllerNames } from "../../src/core/job/declaration.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { systemOpaqueIds } from "../../src/drivers/system/system-opaque-ids.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import { topologyReports } from "../../src/jobs/topology/apis/topology-report.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { clusterAccess } from "../../src/server/access/access.ts";
import type { KubeTargetSession } from "../contract/kube-target.ts";
import { cliWorld } from "../support/cli-world.ts";
import { applyManagerRights } from "../topology/manager-rights.contract.ts";
import { cluster, eventually, TopologyWorld } from "../topology/topology-world.ts";

const topologyRole = { name: "mainstay-topology-controller", namespace: "kube-system" };

function rbacKind(plural: string, kind: string, namespaced: boolean): Kind {
  return { group: "rbac.authorization.k8s.io", version: "v1", kind, plural, namespaced };
}

export interface CommandsTarget {
  readonly session: KubeTargetSession;
  /** Of the user `controller`. */
  readonly token: string;
}

export function commandsContract(open: () => CommandsTarget): void {
  let world: TopologyWorld;
  const as = (kube: Kube) => cliWorld({ kube });
  const admin = () => as(world.kube);

  beforeAll(() => {
    world = new TopologyWorld(open().session);
  });

  describe("in a cluster without Mainstay", () => {
    test("doctor names what is missing and how to bring it", async () => {
      const { code, out } = await admin().run("doctor");
      expect(code).toBe(1);
      expect(out).toContain("FAIL  definition topologyreports.topology.mainstay.dev: is not installed");
      expect(out).toContain("to fix it: Run mainstay crds install.");
      expect(out).toMatch(/ok {4}version: the server is v1\.\d+/);
      expect(out).toContain("ok    clock: this machine's clock agrees with the server's");
      expect(out).toMatch(/warn {2}leader: there is no lease/);
    });

    test("status says so and shows nothing", async () => {
      const { code, out, err } = await admin().run("status");
      expect([code, out]).toEqual([0, "Mainstay manages nothing here."]);
      expect(err).toContain("mainstay crds install brings it");
    });
  });

  describe("in a cluster with Mainstay", () => {
    beforeAll(() => world.installDefinitions());
    afterEach(() => world.clear());
    afterAll(() => world.removeDefinitions());
    const declare = async (): Promise<void> => {
      await world.ensureNamespace("kube-system");
      await world.declareInstallConfig("controlPlane: {replicas: 1}\ncompute: [{replicas: 0}]\n");
      await world.create(infrastructures, {
        apiVersion: "config.openshift.io/v1",
        kind: "Infrastructure",
        metadata: cluster,
        spec: {},
      });
    };

    test("plan says what would be done, with guards, and does nothing", async () => {
      await declare();
      const before = await world.kube.get(infrastructures, cluster);
      const { code, out } = await admin().run("plan", "infrastructure/cluster");
      expect(code).toBe(0);
      expect(out).toContain("would create report cluster in report because TopologyReportMissing");
      expect(out).toContain("would declare cluster");
      const guarded = await admin().run("plan", "infrastructure/cluster", "--guard", "dry-run");
      expect(guarded.out).toContain("topology (guards: dry-run)");
      expect(guarded.out).toContain("refuses (DryRun): would create report");
      const data = JSON.parse((await admin().run("plan", "infrastructures/cluster", "-o", "json")).out) as {
        actions: { kind: string }[];
      }[];
      expect(data[0]?.actions.map(({ kind }) => kind)).toEqual(["create-report", "declare"]);
      expect(await world.kube.get(infrastructures, cluster)).toEqual(before);
      expect((await world.kube.list(topologyReports)).items).toEqual([]);
    });

    test("status, explain and doctor follow the controllers' work", async () => {
      await declare();
      expect((await admin().run("status")).out).toContain("Nothing has been reported yet.");
      world.startManager();
      await eventually(async () => {
        const { objects } = JSON.parse((await admin().run("status", "-o", "json")).out) as Status;
        expect(objects.map(({ id }) => id.kind).toSorted()).toEqual(["Infrastructure", "TopologyReport"]);
        expect(objects[0]?.conditions.find(({ type }) => type === "Published")).toMatchObject({
          status: "True",
          good: true,
        });
      });
      const wide = (await admin().run("status", "-o", "wide")).out;
      expect(wide).toMatch(/^OBJECT +HEALTH +CONDITION +STATUS +REASON +SINCE +IN WORDS$/m);
      expect(wide).toMatch(/Published +True +TopologyPublished/);
      expect((await admin().run("status", "-o", "yaml")).out).toContain("kind: Infrastructure");
      await world.setStatus({ infrastructureTopology: "HighlyAvailable" });
      await eventually(async () => {
        const { code, out } = await admin().run("explain", "infrastructure/cluster");
        expect(code).toBe(0);
        expect(out).toContain("The cluster's high-availability mode, as operators read it.");
        expect(out).toContain("Unaltered is False");
        expect(out).toContain("See: mainstay runbook TopologyEdited");
      });
      expect((await admin().run("explain", "topologyreport/cluster")).out).toContain("refuses (TopologyEdited)");
      const { out, code } = await admin().run("doctor");
      expect(code).toBe(0);
      expect(out).toContain("ok    permissions of topology: all 17 are granted");
    });

    test("somebody without rights is told what they may not do, and nothing is taken for absent", async () => {
      await declare();
      const restricted = as(world.session.restricted);
      expect((await restricted.run("status")).err).toContain(
        "infrastructures.config.openshift.io: you may not list it",
      );
      const planned = await restricted.run("plan", "infrastructure/cluster");
      expect([planned.code, planned.out]).toEqual([
        3,
        [
          "topology: cannot plan.",
          "  - infrastructures.config.openshift.io may not be listed",
          "Configuration: the defaults; --config names the controller manager's own.",
        ].join("\n"),
      ]);
      const findings = JSON.parse((await restricted.run("doctor", "-o", "json")).out) as Finding[];
      const failed = findings.filter(({ result }) => result === "fail").map(({ check, says }) => `${check}: ${says}`);
      expect(failed.join("\n")).toContain("patch infrastructures.config.openshift.io/status cluster");
      const explained = await restricted.run("explain", "infrastructure/cluster");
      expect([explained.code, explained.err]).toEqual([
        3,
        [
          "error: Infrastructure cluster cannot be read: infrastructures.config.openshift.io: you may not list it",
          "hint: Ask for the right to list infrastructures.config.openshift.io.",
        ].join("\n"),
      ]);
      expect(failed.join("\n")).toContain("create leases.coordination.k8s.io in mainstay-system");
    });

    test("an administrator can ask for a service account", async () => {
      const { code, out } = await admin().run("doctor", "--account", "mainstay-system/mainstay");
      expect(code).toBe(1);
      expect(out).toContain(
        "Apply deploy/rbac/topology-controller.yaml, and bind its role to the service account mainstay-system/mainstay.",
      );
      expect(out).toContain("permissions of dashboard: none are needed: it is off in this configuration");
    });

    test("the manifests of deploy/rbac are all that doctor asks for, rules that name one object included", async () => {
      await applyManagerRights(world);
      const others = controllerNames(allJobs).filter((name) => name !== "topology");
      const off = others.map((name) => `  ${name}: {enabled: false}\n`).join("");
      const files = { "/mainstay.yaml": `dashboard: {enabled: true}\ncontrollers:\n${off}` };
      const asked = ["doctor", "--account", "mainstay-system/mainstay", "--config", "/mainstay.yaml"];
      await eventually(async () => {
        const { code, out } = await cliWorld({ kube: world.kube, files }).run(...asked);
        expect(out).toContain("ok    permissions of manager: all 5 are granted");
        expect(out).toContain("ok    permissions of topology: all 17 are granted");
        expect(out).toContain("ok    permissions of dashboard: all 3 are granted");
        expect(code).toBe(0);
      });
      // The one rule that names its object no longer names the right one.
      const body = {
        rules: [{ apiGroups: [""], resources: ["configmaps"], resourceNames: ["other"], verbs: ["list"] }],
      };
      const roleKind = rbacKind("roles", "Role", true);
      await world.kube.patch(roleKind, topologyRole, { type: "merge", body });
      await world.kube.delete(rbacKind("clusterrolebindings", "ClusterRoleBinding", false), {
        name: "mainstay-dashboard",
      });
      await eventually(async () => {
        const { code, out } = await cliWorld({ kube: world.kube, files }).run(...asked);
        expect(code).toBe(1);
        expect(out).toContain(
          "missing, but optional: list configmaps cluster-config-v1 in kube-system, watch configmaps cluster-config-v1 in kube-system",
        );
        expect(out).toContain(
          "FAIL  permissions of dashboard: missing: create tokenreviews.authentication.k8s.io, create subjectaccessreviews.authorization.k8s.io",
        );
        expect(out).toContain("warn  permissions of dashboard: missing, but optional: list events.events.k8s.io");
      });
    });

    test("an object that is not there is not found, once and in one sentence", async () => {
      await declare();
      const run = async (...args: readonly string[]) => {
        const { code, out, err } = await admin().run(...args);
        return [code, out, err];
      };
      const hint = "hint: mainstay status lists what is there.";
      expect(await run("explain", "infrastructure/nope")).toEqual([
        5,
        "",
        `error: there is no Infrastructure nope\n${hint}`,
      ]);
      expect(await run("plan", "infrastructure/nope")).toEqual([
        5,
        "",
        `error: there is no Infrastructure nope, and nothing to do for it\n${hint}`,
      ]);
      const { out } = await admin().run("explain", "infrastructure/cluster");
      expect(out.match(/nothing has been reported yet/gi)).toHaveLength(1);
    });

    test("plan and explain say which configuration they went by", async () => {
      await declare();
      const files = { "/mainstay.yaml": "guards: [dry-run]\n" };
      const there = cliWorld({ kube: world.kube, files });
      for (const command of ["plan", "explain"]) {
        const plain = await there.run(command, "infrastructure/cluster");
        expect(plain.out).toContain("Configuration: the defaults; --config names the controller manager's own.");
        const own = await there.run(command, "infrastructure/cluster", "--config", "/mainstay.yaml");
        expect(own.out).toContain("Configuration: /mainstay.yaml.");
        expect(own.out).toContain("topology (guards: dry-run)");
        expect(own.out).not.toMatch(/[^.]\s+(Checks again|See docs)/);
      }
      const data = JSON.parse((await there.run("plan", "infrastructure/cluster", "-o", "json")).out) as unknown[];
      expect(data[0]).toMatchObject({ configuration: null });
    });
  });

  describe("the dashboard's access", () => {
    const secrets: Kind = { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true };

    test("knows whose a token is, and what they may list where", async () => {
      const { session, token } = open();
      const fresh = () => clusterAccess({ kube: session.admin, clock: systemClock, opaqueIds: systemOpaqueIds() });
      await expect(fresh().viewerOf("Bearer a-token-nobody-issued")).rejects.toMatchObject({ code: "unauthenticated" });
      const before = await fresh().viewerOf(`Bearer ${token}`);
      expect([
        before.name,
        await before.mayList(secrets, "default"),
        await before.mayList(customResourceDefinitions),
      ]).toEqual(["controller", false, false]);
      const metadata = { name: "dashboard-access", namespace: "default" };
      const rules = [{ apiGroups: [""], resources: ["secrets"], verbs: ["list"] }];
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: metadata.name };
      const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "controller" }];
      const apiVersion = "rbac.authorization.k8s.io/v1";
      await world.create(rbacKind("roles", "Role", true), { apiVersion, kind: "Role", metadata, rules } as KubeObject);
      await world.create(rbacKind("rolebindings", "RoleBinding", true), {
        apiVersion,
        kind: "RoleBinding",
        metadata,
        roleRef,
        subjects,
      } as KubeObject);
      await eventually(async () => {
        const after = await fresh().viewerOf(`Bearer ${token}`);
        expect([await after.mayList(secrets, "default"), await after.mayList(secrets)]).toEqual([true, false]);
      });
      await world.clear();
    });
  });
}
