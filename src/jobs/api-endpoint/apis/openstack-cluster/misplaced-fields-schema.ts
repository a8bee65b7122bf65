// Properties that a version of OpenStackCluster does not have and the other one does, declared only so that the API server refuses
// them by itself. Each has its own rule: one that was there before hinders no change of anything else.

import type { CrdSchema } from "../../../../apis/kube/crd.ts";
import { misplacedWords } from "./misplaced-fields.ts";
import { type Move, moves } from "./openstack-cluster-conversion.ts";

const keepOthers = { "x-kubernetes-preserve-unknown-fields": true };

type Properties = Readonly<Record<string, CrdSchema>>;

/** `own`: the properties of v1beta1's spec. Those that moved, as v1beta2 must refuse them. */
export function namesOfV1beta1(own: Properties): Properties {
  return Object.fromEntries(
    movesOf(own).map(({ move, name, schema }) => [
      name,
      refused({ from: "v1beta1", version: "v1beta2", move, schema }),
    ]),
  );
}

/** The same the other way round; v1beta2 has most of them in a group, which v1beta1 need not refuse when it is empty. */
export function namesOfV1beta2(own: Properties): Properties {
  return movesOf(own).reduce<Properties>((all, { move, schema }) => {
    const [, first = "", inner] = move.new;
    const misplaced = refused({ from: "v1beta2", version: "v1beta1", move, schema });
    if (inner === undefined) return { ...all, [first]: misplaced };
    const { properties } = (all[first] ?? {}) as { readonly properties?: Properties };
    return { ...all, [first]: { type: "object", ...keepOthers, properties: { ...properties, [inner]: misplaced } } };
  }, {});
}

function movesOf(own: Properties) {
  return moves.flatMap((move) => {
    const [root, name = "", ...deeper] = move.old;
    const schema = own[name];
    return root === "spec" && deeper.length === 0 && schema !== undefined ? [{ move, name, schema }] : [];
  });
}

interface Refused {
  readonly from: "v1beta1" | "v1beta2";
  readonly version: string;
  readonly move: Move;
  readonly schema: CrdSchema;
}

function refused({ from, version, move, schema }: Refused): CrdSchema {
  const right = (from === "v1beta1" ? move.new : move.old).join(".");
  const rule = (expression: string, value = "") => {
    const { message, hint } = misplacedWords({ from, version, right: `${right}${value}` });
    return { rule: expression, message: `${message}. ${hint}` };
  };
  return {
    ...shapeOf(schema),
    description: `Of ${from}, and refused here: write ${right}.`,
    // A rule that fails for one value alone can name the other.
    "x-kubernetes-validations":
      move.inverted === true ? [rule("!self", ": false"), rule("self", ": true")] : [rule("false")],
  };
}

/** The API server compares an old value with a new one by the fields that a schema names, so all of them must be; nothing else counts. */
function shapeOf(schema: CrdSchema): CrdSchema {
  const { type, properties, items } = schema as { type?: unknown; properties?: Properties; items?: CrdSchema };
  return {
    type,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, shapeOf(one)])) }),
    ...(items === undefined ? {} : { items: shapeOf(items) }),
  };
}
