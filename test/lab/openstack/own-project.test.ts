// Suites that work in the lab's cloud at the same time never meet, whatever their addresses and names are.

import { afterAll, beforeAll, expect, test } from "vitest";
import { describeLab, labOpenStack } from "../../lab.ts";
import { testPatienceMs, until } from "../until.ts";
import { buildLegacyBalancer, type LegacyBalancer } from "./legacy-balancer.ts";
import { type OwnProject, openProject } from "./own-project.ts";
import { membersByPort } from "./status-tree.ts";

const timeout = testPatienceMs;

describeLab("projects of their own in the lab's cloud", labOpenStack, (lab) => {
  const projects: OwnProject[] = [];
  const balancers: LegacyBalancer[] = [];
  beforeAll(async () => {
    for (const _ of [1, 2]) projects.push(await openProject(lab));
    balancers.push(...(await Promise.all(projects.map((project) => buildLegacyBalancer(project, "clusters", "same")))));
  }, timeout);
  afterAll(async () => {
    for (const project of projects) await project.remove();
  }, timeout);

  const health = async (index: number) => {
    const found = (await membersByPort(projects[index]?.rest ?? neverAsked, balancers[index]?.id ?? ""))?.["6443"];
    return found?.map(({ address, operating }) => `${address} ${operating}`).join();
  };

  test("have the same names and addresses, and members that fail in one of them alone", { timeout }, async () => {
    const member = balancers[0]?.member ?? "";
    expect(balancers.map((one) => [one.name, one.member])).toEqual(balancers.map(() => [balancers[0]?.name, member]));
    for (const index of [0, 1]) await until("health", async () => (await health(index)) === `${member} ONLINE`);
    await projects[0]?.faults.setMemberDown(member, true);
    await until("the failure", async () => (await health(0)) === `${member} ERROR`);
    await projects[1]?.faults.setMemberDown("10.0.1.250", true);
    expect(await health(1)).toBe(`${member} ONLINE`);
    await projects[0]?.faults.setMemberDown(member, false);
    await until("the recovery", async () => (await health(0)) === `${member} ONLINE`);
  });

  test("go alone, with everything that was left in them", { timeout }, async () => {
    const [gone, stays] = projects.splice(0, 2) as [OwnProject, OwnProject];
    projects.push(stays);
    const before = await stays.census();
    await gone.remove();
    expect(await stays.census()).toEqual(before);
    const { admin, id } = gone;
    const lists = ["floatingips", "ports", "networks", "routers"].map(
      async (kind) => (await admin("neutron", "GET", `/${kind}?project_id=${id}`))[kind],
    );
    expect(await Promise.all(lists)).toEqual([[], [], [], []]);
    await expect(admin("keystone", "GET", `/projects/${id}`)).rejects.toThrow(" 404 ");
  });
});

const neverAsked: OwnProject["rest"] = () => Promise.reject(new Error("there is no such project"));
