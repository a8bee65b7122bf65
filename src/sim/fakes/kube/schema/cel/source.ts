// Small changes to CEL source before it is parsed, and questions about it. Knows strings from code, and nothing else.

const token =
  /[rRbB]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\/\/[^\n]*|[A-Za-z_]\w*/g;

const reserved = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);

/** Functions of the CEL package that differ from the API server's, and ours that take their place. */
const replaced = new Map([
  ["has", "hasField"],
  ["matches", "matchesRe2"],
]);

/** Gives the API server's meaning to names where the CEL package has another. */
export function adaptSource(source: string): string {
  return source.replaceAll(token, (text, offset: number) => {
    if (!/^[A-Za-z_]\w*$/.test(text)) return text;
    const isSelected = /\.\??\s*$/.test(source.slice(0, offset));
    const isCalled = /^\s*\(/.test(source.slice(offset + text.length));
    if (isCalled) return replaced.get(text) ?? text;
    return isSelected && reserved.has(text) ? `__${text}__` : text;
  });
}

export function mentions(source: string, identifier: string): boolean {
  return [...source.matchAll(token)].some(([text]) => text === identifier);
}
