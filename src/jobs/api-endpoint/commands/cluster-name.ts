// How people name a cluster: `blue`, `clusters/blue`, or `blue -n clusters`.

import { invalid } from "../../../cli/invalid-input.ts";

export interface ClusterName {
  readonly namespace: string;
  readonly name: string;
}

export function parseClusterName(text: string, flag: string | undefined): ClusterName {
  const [first = "", second, ...more] = text.split("/");
  const name = second ?? first;
  const named = second === undefined ? undefined : first;
  if (name === "" || named === "" || more.length > 0) {
    const [third, ...rest] = more;
    // A kind before it is how the other commands have it.
    const isKindFirst = name !== "" && third !== undefined && third !== "" && rest.length === 0;
    const wanted = isKindFirst ? `${name}/${third}` : "<name> or <namespace>/<name>";
    throw invalid("<cluster>", `"${text}" does not name a cluster`, `Write ${wanted}.`);
  }
  if (flag !== undefined && named !== undefined && flag !== named)
    throw invalid("--namespace", `"${flag}" is given for ${text}, which is in ${named}`, "Name one namespace.");
  return { namespace: named ?? flag ?? "default", name };
}
