// The token that a controller sends with each request to /v2, and what an agent demands of it: HS256 alone, for this gateway, short-lived,
// for this body, and not seen before. Sent as `Authorization: Bearer <token>`.

import { z } from "zod";

/** The only algorithm. */
export const agentTokenAlgorithm = "HS256";
/** A token is good for at most this long after it was issued. */
export const agentTokenSeconds = 120;
/** How far the clocks of controller and gateway may be apart. */
export const clockLeewaySeconds = 5;

export interface AgentTokenClaims {
  /** Name of the gateway. */
  readonly aud: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
  /** Another one for each request. */
  readonly jti: string;
  /** SHA-256 of the body, in base64url without padding; of no bytes where there is no body. */
  readonly sha256: string;
}

const claimsShape = z.object({
  aud: z.string(),
  iat: z.int(),
  exp: z.int(),
  jti: z.string().min(1).max(200),
  sha256: z.string(),
});

export interface TokenExpectations {
  readonly gateway: string;
  readonly nowMs: number;
  /** When the agent started: it does not know which tokens it saw before. */
  readonly startedMs: number;
}

export type CheckedToken = { readonly claims: AgentTokenClaims } | { readonly refusal: string };

/** Whoever calls has verified the signature, and compares the digest of the body when it has come. */
export function checkAgentToken(claims: unknown, { gateway, nowMs, startedMs }: TokenExpectations): CheckedToken {
  const shape = claimsShape.safeParse(claims);
  if (!shape.success) return { refusal: "the token lacks aud, iat, exp, jti or sha256" };
  const { aud, iat, exp } = shape.data;
  const now = nowMs / 1_000;
  if (aud !== gateway) return { refusal: "the token is for another gateway" };
  if (exp < now - clockLeewaySeconds) return { refusal: "the token has expired" };
  if (iat > now + clockLeewaySeconds) return { refusal: "the token is from the future: compare the clocks" };
  if (exp - iat > agentTokenSeconds) return { refusal: "the token is good for too long" };
  if (iat < startedMs / 1_000 - clockLeewaySeconds) return { refusal: "the token was issued before the agent started" };
  return { claims: shape.data };
}
