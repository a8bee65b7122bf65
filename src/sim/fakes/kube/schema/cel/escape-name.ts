// Property names as CEL identifiers: `a-b` becomes `a__dash__b`, `namespace` becomes `__namespace__`.

const reserved = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

/** Undefined when no rule can reach a property of this name. */
export function escapeName(name: string): string | undefined {
  if (name === "" || /^\d/.test(name) || /[^A-Za-z0-9\-./_]/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  const replacements: Readonly<Record<string, string>> = {
    __: "__underscores__",
    ".": "__dot__",
    "-": "__dash__",
    "/": "__slash__",
  };
  return name.replaceAll(/__|[-./]/g, (text) => replacements[text] ?? text);
}
