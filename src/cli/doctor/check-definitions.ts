// Are our CustomResourceDefinitions in the cluster, and are they those of this version of Mainstay?

import { customResourceDefinitions } from "../../apis/kube/builtin-kinds.ts";
import { planDefinition } from "../../core/definition-plan.ts";
import type { Definition } from "../../core/job/declaration.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { KubeReader } from "../../ports/kube.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const install = "Run mainstay crds install.";

export async function checkDefinitions(
  kube: KubeReader,
  definitions: readonly Definition[],
): Promise<readonly Finding[]> {
  return await Promise.all(
    definitions.map(async (definition): Promise<Finding> => {
      const { name } = definition.crd.metadata;
      const check = `definition ${name}`;
      try {
        const plan = planDefinition(definition, await kube.get(customResourceDefinitions, { name }));
        if (plan.do === "renew") return warn(check, "an older Mainstay installed it", install);
        if (plan.do === "nothing" && plan.because === "newer")
          return warn(check, "a newer Mainstay installed it", "Upgrade this program.");
        if (plan.do === "nothing" && plan.because === "foreign") return ok(check, "is installed, but not by Mainstay");
        return ok(check, "is installed and up to date");
      } catch (error) {
        if (isKubeError(error, "NotFound")) return fail(check, "is not installed", install);
        if (isKubeError(error, "Forbidden"))
          return warn(check, "may not be read", "Ask for the right to get customresourcedefinitions.");
        throw error;
      }
    }),
  );
}
