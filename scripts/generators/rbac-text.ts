// Roles as YAML with comments, as people like to review them.

export interface Rule {
  readonly group: string;
  /** With its subresource: `infrastructures/status`. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** The one object that it is about. */
  readonly name?: string;
}

const verbOrder = ["get", "list", "watch", "create", "patch", "delete"];
const width = 132;

export function ruleText({ group, resource, verbs, name }: Rule): string {
  const ordered = verbs.toSorted((a, b) => verbOrder.indexOf(a) - verbOrder.indexOf(b));
  return [
    `  - apiGroups: [${group === "" ? '""' : group}]`,
    `    resources: [${resource}]`,
    ...(name === undefined ? [] : [`    resourceNames: [${name}]`]),
    `    verbs: [${ordered.join(", ")}]`,
  ].join("\n");
}

export function metadata(name: string, namespace?: string): string {
  return [
    "metadata:",
    `  name: ${name}`,
    ...(namespace === undefined ? [] : [`  namespace: ${namespace}`]),
    "  labels:",
    "    app.kubernetes.io/managed-by: mainstay",
  ].join("\n");
}

/** Wrapped, each line behind the indent and a hash. */
export function comment(text: string, indent: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && indent.length + 2 + last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${indent}# ${line}`).join("\n");
}
