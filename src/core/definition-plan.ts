// What to do about one of our definitions: bring it, renew it, or leave what is there. A definition without our mark
// belongs to somebody else, and one that is newer than ours belongs to a newer Mainstay.

import { bearsOurMark, type CustomResourceDefinition, crdRevision } from "../apis/crd.ts";
import type { KubeObject } from "../apis/kube-object.ts";

export type DefinitionPlan =
  | { readonly do: "create" | "renew"; readonly definition: CustomResourceDefinition }
  | { readonly do: "nothing"; readonly because: "current" | "foreign" | "newer" };

export function planDefinition(wanted: CustomResourceDefinition, existing: KubeObject | undefined): DefinitionPlan {
  if (existing === undefined) return { do: "create", definition: wanted };
  if (!bearsOurMark(existing)) return { do: "nothing", because: "foreign" };
  const [theirs, ours] = [crdRevision(existing), crdRevision(wanted)];
  if (theirs === ours) return { do: "nothing", because: "current" };
  return theirs > ours ? { do: "nothing", because: "newer" } : { do: "renew", definition: wanted };
}
