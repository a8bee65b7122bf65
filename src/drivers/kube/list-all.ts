// A whole collection, page by page. When the server forgets the list under way it goes on from where the server says it
// can (no longer one consistent list), or else begins again, once.

import type { Kind, KubeObject } from "../../apis/kube/kube-object.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { CallOptions, KubeList, KubeReader, ListQuery } from "../../ports/kube.ts";

const pageSize = 500;

export async function listAll<T extends KubeObject>(
  kube: KubeReader,
  kind: Kind<T>,
  query: Omit<ListQuery, "continueToken"> = {},
  options: CallOptions = {},
): Promise<KubeList<T>> {
  let items: T[] = [];
  let continueToken: string | undefined;
  let recovered = false;
  while (true) {
    try {
      const page = await kube.list(kind, pageQuery(query, continueToken), options);
      items = items.concat(page.items);
      if (page.continueToken === undefined) return { items, resourceVersion: page.resourceVersion };
      continueToken = page.continueToken;
    } catch (error) {
      if (recovered || continueToken === undefined || !isKubeError(error, "Gone")) throw error;
      recovered = true;
      continueToken = error.continueToken;
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
