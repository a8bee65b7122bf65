// Each rule of the table accepts and refuses what it says.

import { beforeAll, expect, it } from "vitest";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import type { GetContext } from "../kube-target.ts";
import { ruleCases } from "./cel-cases.ts";
import { type Custom, installSpec, widget } from "./sample-crd.ts";
import { refusal } from "./samples.ts";

export function evaluateBehaviours(get: GetContext): void {
  let widgets: Kind<Custom>;

  beforeAll(async () => {
    const properties = ruleCases.map(({ schema, rule }, i) => [
      `c${i}`,
      { ...schema, "x-kubernetes-validations": [{ rule }] },
    ]);
    widgets = await installSpec(get(), { type: "object", properties: Object.fromEntries(properties) });
  });

  const create = (index: number, value: unknown) => {
    const { admin, namespace } = get();
    return admin.create(widgets, widget(widgets, { name: "case", namespace }, { [`c${index}`]: value }), {
      dryRun: true,
    });
  };

  it.each(ruleCases.map(({ rule }, index) => [rule, index] as const))("%s", async (_, index) => {
    const { accepts, refuses } = ruleCases[index] ?? { accepts: [], refuses: [] };
    for (const value of accepts) expect(await create(index, value)).toMatchObject({ spec: { [`c${index}`]: value } });
    for (const value of refuses) {
      const error = await refusal(create(index, value));
      expect(error.causes).toMatchObject([{ reason: "FieldValueInvalid", field: `spec.c${index}` }]);
    }
  });
}
