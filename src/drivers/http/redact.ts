// Keeps secrets out of messages: bearer tokens, JSON web tokens, private keys, passwords in addresses, and the secrets it is given.

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w\-.~+/]+=*/gi, "$1 [redacted]"],
  [/\beyJ[\w-]{8,}\.[\w-]+(\.[\w-]*)?/g, "[redacted]"],
  [/-----BEGIN [^-]*PRIVATE KEY-----[\s\S]*?(-----END [^-]*-----|$)/g, "[redacted]"],
  [/(\/\/)[^/@\s:]*:[^/@\s]*@/g, "$1[redacted]@"],
];

export function redact(text: string, secrets: readonly string[] = []): string {
  const named = secrets.filter((secret) => secret.length > 3);
  const withoutNamed = named.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
  return patterns.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), withoutNamed);
}
