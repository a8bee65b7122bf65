// Who may use /v2: a client with a certificate that was verified, or one with a token for this gateway, this body and this once. Refusals
// say what is wrong with a token only after its signature was right.

import type { Clock } from "../../../../ports/clock.ts";
import type { HttpQuestion } from "../../../../ports/http-service.ts";
import type { Tokens } from "../../../../ports/tokens.ts";
import {
  type AgentTokenClaims,
  agentTokenAlgorithm,
  checkAgentToken,
  clockLeewaySeconds,
} from "../../core/wire/agent-token.ts";

export interface Access {
  /** For tokens; undefined: none is accepted. */
  readonly key?: Uint8Array;
  /** Names in certificates. Empty: every certificate that was verified. */
  readonly certificateNames: readonly string[];
}

/** Looks at a request before its body is read. `admits` is asked with the body: undefined for welcome, or what is wrong. */
export type Authenticator = (
  question: Pick<HttpQuestion, "headers" | "peer">,
) => { readonly refusal: string } | { readonly admits: (body: Uint8Array) => string | undefined };

const maxRemembered = 20_000;

export function authenticator(
  { key, certificateNames }: Access,
  { tokens, clock, gateway }: { readonly tokens: Tokens; readonly clock: Clock; readonly gateway: string },
): Authenticator {
  const startedMs = clock.nowMs();
  const isUsed = usedTokens(clock);
  return ({ headers, peer: { certificateName } }) => {
    if (certificateName !== undefined) {
      const isListed = certificateNames.length === 0 || certificateNames.includes(certificateName);
      return isListed ? { admits: () => undefined } : { refusal: "the certificate's name is not one that is allowed" };
    }
    const [, token] = /^Bearer ([\w.-]+)$/i.exec(headers["authorization"] ?? "") ?? [];
    if (key === undefined || token === undefined) return { refusal: "there is neither a certificate nor a token" };
    const claims = tokens.verify(token, key, [agentTokenAlgorithm]);
    if (claims === undefined) return { refusal: "the token is not signed with the key of this gateway" };
    const checked = checkAgentToken(claims, { gateway, nowMs: clock.nowMs(), startedMs });
    if ("refusal" in checked) return checked;
    const { sha256 } = checked.claims;
    return {
      admits: (body) =>
        sha256 === tokens.digest(body) ? isUsed(checked.claims) : "the token was made for another body",
    };
  };
}

/** Remembers tokens for as long as they are good. Only who has the key can make it remember anything. */
function usedTokens(clock: Clock): (claims: AgentTokenClaims) => string | undefined {
  const untilMs = new Map<string, number>();
  return ({ jti, exp }) => {
    const nowMs = clock.nowMs();
    for (const [known, endMs] of untilMs) if (endMs < nowMs) untilMs.delete(known);
    if (untilMs.has(jti)) return "the token was used before";
    if (untilMs.size >= maxRemembered) return "too many tokens were used within minutes";
    untilMs.set(jti, (exp + clockLeewaySeconds + 1) * 1_000);
    return undefined;
  };
}
