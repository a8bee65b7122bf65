// Which form of an object a client asks for by Accept: the object itself, a Table, or only its metadata.

import { mediaRanges } from "../media-ranges.ts";

export interface Representation {
  readonly as: "Object" | "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";
  readonly encoding: "json" | "yaml";
}

/** The first form in Accept that we speak. Undefined: none, so the answer is 406. */
export function representation(accept: string): Representation | undefined {
  for (const { type, parameters } of mediaRanges(accept)) {
    const encoding = encodings[type];
    if (encoding === undefined) continue;
    const wanted = parameters.get("as");
    if (wanted === undefined) return { as: "Object", encoding };
    const version = parameters.get("v");
    if (parameters.get("g") !== "meta.k8s.io" || (version !== "v1" && version !== "v1beta1")) continue;
    const as = forms.find((form) => form === wanted);
    if (as !== undefined) return { as, encoding };
  }
  return undefined;
}

const forms = ["Table", "PartialObjectMetadata", "PartialObjectMetadataList"] as const;

const encodings: Readonly<Record<string, "json" | "yaml">> = {
  "application/json": "json",
  "application/yaml": "yaml",
  "application/*": "json",
  "*/*": "json",
};
