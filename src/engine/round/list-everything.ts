// All objects of a kind, page by page. When the server forgets the list under way it goes on from where the server says it can (no longer
// one consistent list), or else begins again, once.

import { apiVersionOf, type Kind, type KubeObject } from "../../apis/kube/kube-object.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { KubeReader, ListQuery } from "../../ports/kube.ts";

const pageSize = 500;

/** Servers leave kind and apiVersion out of some kinds' list items; here every item has them. */
export async function listEverything(
  kube: KubeReader,
  kind: Kind,
  query: Omit<ListQuery, "continueToken"> = {},
  signal?: AbortSignal,
): Promise<readonly KubeObject[]> {
  const options = signal === undefined ? {} : { signal };
  let items: KubeObject[] = [];
  let continueToken: string | undefined;
  let recovered = false;
  while (true) {
    try {
      const page = await kube.list(kind, pageQuery(query, continueToken), options);
      items = items.concat(page.items.map((item) => ({ ...item, apiVersion: apiVersionOf(kind), kind: kind.kind })));
      if (!page.continueToken) return items;
      ({ continueToken } = page);
    } catch (error) {
      if (recovered || continueToken === undefined || !isKubeError(error, "Gone")) throw error;
      recovered = true;
      ({ continueToken } = error);
      if (continueToken === undefined) items = [];
    }
  }
}

/** The version that a list began at lives in its token; the server refuses both together. */
function pageQuery(query: ListQuery, continueToken: string | undefined): ListQuery {
  const limited = { ...query, limit: query.limit ?? pageSize };
  if (continueToken === undefined) return limited;
  const { resourceVersion: _begun, resourceVersionMatch: _match, ...rest } = limited;
  return { ...rest, continueToken };
}
