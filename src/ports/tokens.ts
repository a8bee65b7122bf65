// Tokens that are signed with a key both sides know (JSON Web Tokens with an HMAC).

export type HmacAlgorithm = "HS256" | "HS384" | "HS512";

export interface Tokens {
  /** What a token claims, when its signature is right and of one of these algorithms; undefined for every other text. */
  verify(token: string, key: Uint8Array, algorithms: readonly HmacAlgorithm[]): unknown;
  sign(claims: Readonly<Record<string, unknown>>, key: Uint8Array, algorithm: HmacAlgorithm): string;
  /** SHA-256, in base64url without padding. */
  digest(bytes: Uint8Array): string;
}
