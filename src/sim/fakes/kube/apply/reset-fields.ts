// Which top-level fields an endpoint ignores: the object itself leaves status alone where status has an endpoint of its
// own, and the status endpoint leaves everything else alone.

export function resetFields(
  kind: { readonly hasStatus: boolean; readonly isCustom: boolean },
  subresource = "",
): readonly string[] {
  if (subresource === "status") return kind.isCustom ? ["metadata", "spec"] : ["spec"];
  return kind.hasStatus && subresource === "" ? ["status"] : [];
}
