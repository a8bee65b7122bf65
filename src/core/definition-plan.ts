// What to do about one of our CustomResourceDefinitions: create it, update it, or leave it. One without our mark belongs to somebody
// else, and one that is newer than ours belongs to a newer Mainstay. Its conversion webhook stays unless another is wanted: without it
// versions that people use would no longer be served.

import { bearsOurMark, type CrdConversion, type CustomResourceDefinition, crdRevision } from "../apis/kube/crd.ts";
import type { KubeObject } from "../apis/kube/kube-object.ts";
import { sameJson } from "../apis/text/json-path.ts";
import { isRecord } from "../apis/text/problem.ts";
import type { Definition } from "./job/declaration.ts";

export type DefinitionPlan =
  | { readonly do: "create" | "renew"; readonly definition: CustomResourceDefinition }
  | { readonly do: "nothing"; readonly because: "current" | "foreign" | "newer" };

export function planDefinition(definition: Definition, existing: KubeObject | undefined): DefinitionPlan {
  const wanted = definition.crd;
  if (existing === undefined) return { do: "create", definition: wanted };
  if (!bearsOurMark(existing)) return { do: "nothing", because: "foreign" };
  const [theirs, ours] = [crdRevision(existing), crdRevision(wanted)];
  const present = conversionOf(existing);
  if (theirs > ours) return { do: "nothing", because: "newer" };
  if (theirs === ours && convertsAlike(wanted.spec.conversion, present)) return { do: "nothing", because: "current" };
  return { do: "renew", definition: keepingConversion(definition, present) };
}

function conversionOf(definition: KubeObject): CrdConversion | undefined {
  const { spec } = definition as { readonly spec?: unknown };
  const conversion = isRecord(spec) ? spec["conversion"] : undefined;
  return isRecord(conversion) && conversion["strategy"] === "Webhook"
    ? (conversion as unknown as CrdConversion)
    : undefined;
}

/** Without a wanted webhook any one will do. A certificate authority that is not given is injected by somebody else. */
function convertsAlike(wanted: CrdConversion | undefined, present: CrdConversion | undefined): boolean {
  if (wanted === undefined) return true;
  const { caBundle, ...config } = wanted.webhook.clientConfig;
  const { caBundle: there, ...configThere } = present?.webhook.clientConfig ?? {};
  return sameJson(config, configThere) && (caBundle === undefined || caBundle === there);
}

function keepingConversion(
  { crd, withConversion }: Definition,
  present: CrdConversion | undefined,
): CustomResourceDefinition {
  const isSilent = crd.spec.conversion === undefined;
  return isSilent && present !== undefined && withConversion !== undefined ? withConversion(present) : crd;
}
