// All objects of a kind, page by page.

import { apiVersionOf, type Kind, type KubeObject } from "../../apis/kube/kube-object.ts";
import type { KubeReader, Selection } from "../../ports/kube.ts";

const pageSize = 500;

/** Servers leave kind and apiVersion out of some kinds' list items; here every item has them. */
export async function listEverything(
  kube: KubeReader,
  kind: Kind,
  selection: Selection = {},
  signal?: AbortSignal,
): Promise<readonly KubeObject[]> {
  const items: KubeObject[] = [];
  let continueToken: string | undefined;
  do {
    const query = { ...selection, limit: pageSize, ...(continueToken === undefined ? {} : { continueToken }) };
    const page = await kube.list(kind, query, signal === undefined ? {} : { signal });
    items.push(...page.items.map((item) => ({ ...item, apiVersion: apiVersionOf(kind), kind: kind.kind })));
    continueToken = page.continueToken;
  } while (continueToken !== undefined && continueToken !== "");
  return items;
}
