// Every planner of a job goes through the laws of planning: a test beside it calls `planLaws`.

import { child, type Source, visit } from "./source.ts";

const planner = /^src\/jobs\/[^/]+\/core\/plan\.ts$/;

export function plannersIn(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => planner.test(path));
}

export function plannersWithoutLaws(sources: readonly Source[]): readonly string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  return plannersIn([...byPath.keys()]).filter((path) => {
    const folder = path.slice(0, path.lastIndexOf("/"));
    const tests = [byPath.get(`${folder}/laws.test.ts`), byPath.get(`${folder}/plan.test.ts`)];
    return !tests.some((source) => source !== undefined && callsPlanLaws(source));
  });
}

function callsPlanLaws({ program }: Source): boolean {
  let found = false;
  visit(program, (node) => {
    if (node.type === "CallExpression" && child(node, "callee")?.["name"] === "planLaws") found = true;
  });
  return found;
}
