// Security headers of every answer: no framing, no content sniffing, no referrer, nothing from other sites, and no caching of API answers.

const always = {
  "content-security-policy":
    "default-src 'self'; connect-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
} as const;

export function secureHeaders(api: boolean): Readonly<Record<string, string>> {
  return api ? { ...always, "cache-control": "no-store" } : always;
}
