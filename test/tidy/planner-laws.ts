// Every planner of a job goes through the laws of planning: a test beside it calls `planLaws`.

import { child, type Source, visit } from "./source.ts";

const planner = /^src\/jobs\/[^/]+\/core\/plan\.ts$/;

export function plannersIn(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => planner.test(path));
}

export function plannersWithoutLaws(sources: readonly Source[]): readonly string[] {
  const judged = new Set(sources.filter(callsPlanLaws).map(({ path }) => path));
  return plannersIn(sources.map(({ path }) => path)).filter((path) => {
    const folder = path.slice(0, path.lastIndexOf("/"));
    return !judged.has(`${folder}/laws.test.ts`) && !judged.has(`${folder}/plan.test.ts`);
  });
}

function callsPlanLaws({ program }: Source): boolean {
  let found = false;
  visit(program, (node) => {
    if (node.type === "CallExpression" && child(node, "callee")?.["name"] === "planLaws") found = true;
  });
  return found;
}
