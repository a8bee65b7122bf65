// How people name a cluster: `blue`, `clusters/blue`, or `blue -n clusters`.

import { invalid } from "../invalid-input.ts";

export interface ClusterName {
  readonly namespace: string;
  readonly name: string;
}

export function parseClusterName(text: string, flag: string | undefined): ClusterName {
  const [first = "", second, ...more] = text.split("/");
  const name = second ?? first;
  const named = second === undefined ? undefined : first;
  if (name === "" || named === "" || more.length > 0)
    throw invalid("<cluster>", `"${text}" does not name a cluster`, "Write <name> or <namespace>/<name>.");
  if (flag !== undefined && named !== undefined && flag !== named)
    throw invalid("--namespace", `"${flag}" is given for ${text}, which is in ${named}`, "Name one namespace.");
  return { namespace: named ?? flag ?? "default", name };
}
