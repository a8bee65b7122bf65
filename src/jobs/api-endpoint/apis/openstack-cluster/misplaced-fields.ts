// Fields that stand in one version of an OpenStackCluster under the name that they have in the other. Both versions keep what they do
// not know, so nothing else would ever say that such a field has no effect.

import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import { type JsonPath, valueAt } from "../../../../apis/text/json-path.ts";
import type { Problem } from "../../../../apis/text/problem.ts";
import { type Move, moves, toV1beta1, toV1beta2 } from "./openstack-cluster-conversion.ts";

/** Whichever version the object is in: what was written through the other one is looked at there. */
export function misplacedFieldProblems(object: KubeObject): readonly Problem[] {
  const [older, newer] = [toV1beta1(object), toV1beta2(object)];
  return moves
    .filter((one) => one.old[0] === "spec")
    .flatMap((one) => [
      ...misplaced(newer, { from: "v1beta1", name: one.old, in: "v1beta2", instead: one.new, move: one }),
      ...misplaced(older, { from: "v1beta2", name: one.new, in: "v1beta1", instead: one.old, move: one }),
    ]);
}

interface Names {
  /** Whose name it is, and where it was found. */
  readonly from: string;
  readonly name: JsonPath;
  readonly in: string;
  readonly instead: JsonPath;
  readonly move: Move;
}

function misplaced(object: KubeObject, { from, name, in: version, instead, move }: Names): readonly Problem[] {
  const value = valueAt(object, name);
  if (value === undefined) return [];
  const right = `${instead.join(".")}${move.inverted === true && typeof value === "boolean" ? `: ${!value}` : ""}`;
  return [{ where: name.join("."), ...misplacedWords({ from, version, right }) }];
}

/** Said by the definition, by admission and by the controller alike. */
export function misplacedWords({ from, version, right }: Readonly<Record<"from" | "version" | "right", string>>) {
  return {
    message: `it is the name of ${from}, and has no effect in ${version}, the version that it was written in`,
    hint: `Write ${right} instead, and remove this field.`,
  };
}
