// Every credential of a simulated world holds a secret marker. This finds one in a text, however it is written there: plain, in
// base64 at any offset, percent-encoded, escaped, as hex or as numbers, and any of these within another.

/** Every secret marker begins like this. */
const secretMarkerPrefix = "MARKED-SECRET-";

export function secretMarkerOf(label: string): string {
  return `${secretMarkerPrefix}${label}`;
}

type Form = readonly [name: string, pattern: RegExp];

const bytes = [...new TextEncoder().encode(secretMarkerPrefix)];
const once = base64Cores(secretMarkerPrefix);
/** Case counts in base64 alone: header names, host names and hex come in both. */
const forms: readonly Form[] = [
  ["plain", new RegExp(secretMarkerPrefix, "i")],
  ["base64", anyOf(once)],
  ["base64 twice", anyOf(once.flatMap(base64Cores))],
  ["hex", new RegExp(bytes.map((byte) => byte.toString(16)).join(String.raw`[\s:,]?`), "i")],
  ["numbers", new RegExp(bytes.join(String.raw`,\s*`))],
];

/** How the first secret marker in the text is written; undefined when there is none. */
export function secretMarkerIn(text: string): string | undefined {
  let spelt = text;
  // An escaped text may be within an escaped text; what is nested deeper is no accident any more.
  for (let depth = 0; depth < 4; depth += 1) {
    const found = forms.find(([, pattern]) => pattern.test(spelt));
    if (found !== undefined) return depth === 0 ? found[0] : `${found[0]}, escaped`;
    const plainer = unescaped(spelt);
    if (plainer === spelt) return undefined;
    spelt = plainer;
  }
  return undefined;
}

/** `%43`, `\x43`, `\u0043` and `&#67;` become what they stand for, and what is broken over lines is joined. */
function unescaped(text: string): string {
  if (!/[%\\&\n]/.test(text)) return text;
  return withoutCodes(text).replaceAll(/(?:\\+n|\\+r|[\r\n])\s*/g, "");
}

/** Most texts have none. */
const anyCode = /%[0-9a-f]|\\[xu]|&#/i;

function withoutCodes(text: string): string {
  if (!anyCode.test(text)) return text;
  return text
    .replaceAll(
      /%([0-9a-f]{2})|\\+x([0-9a-f]{2})|\\+u00([0-9a-f]{2})|&#x([0-9a-f]{2});/gi,
      (_whole, ...hex: string[]) => String.fromCharCode(Number.parseInt(hex.slice(0, 4).join(""), 16)),
    )
    .replaceAll(/&#(\d{2,3});/g, (_whole, code: string) => String.fromCharCode(Number(code)));
}

/** What a text becomes in base64 whatever stands before and after it: the characters that it alone decides, for each offset. */
function base64Cores(text: string): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = btoa("\0".repeat(offset) + text);
    const from = Math.ceil((offset * 8) / 6);
    const core = encoded.slice(from, Math.floor(((offset + text.length) * 8) / 6));
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function anyOf(words: readonly string[]): RegExp {
  return new RegExp([...new Set(words)].map((word) => word.replaceAll(/[+/]/g, String.raw`\$&`)).join("|"));
}
