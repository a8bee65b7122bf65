// A short digest of a text for use in names. It must never change, and it is not for security.

/** Two FNV-1a hashes with different primes: ten characters of 0-9 and a-z. */
export function digest(text: string): string {
  let one = 0x811c9dc5;
  let other = 0x811c9dc5;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    one = Math.imul(one ^ code, 0x01000193) >>> 0;
    other = Math.imul(other ^ code, 0x85ebca6b) >>> 0;
  }
  return `${one.toString(36)}${other.toString(36)}`.padStart(14, "0").slice(-10);
}
