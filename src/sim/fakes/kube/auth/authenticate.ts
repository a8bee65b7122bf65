// Bearer tokens: static ones, as kube-apiserver's --token-auth-file, and those of service accounts. A token names a user, none is
// anonymous, a wrong one is nobody.

import { type AccountTokens, issuer, type TokenCheck } from "./account-tokens.ts";
import type { TokenUsers, UserInfo } from "./user-info.ts";

export const anonymous: UserInfo = { username: "system:anonymous", groups: ["system:unauthenticated"] };

/** Who knows whose a token is. */
export interface TokenAuthorities {
  readonly users: TokenUsers;
  readonly accounts?: Pick<AccountTokens, "check">;
}

/**
 * Header names in lower case. Undefined: a token was given and is wrong, so the answer is 401. Credentials of another
 * scheme have no one to check them, so that their bearer stays anonymous, as on the real server.
 */
export function authenticate(
  headers: Readonly<Record<string, string>>,
  authorities: TokenAuthorities,
): UserInfo | undefined {
  const token = /^bearer +(\S+) *$/i.exec(headers["authorization"] ?? "")?.[1];
  if (token === undefined) return anonymous;
  const checked = checkToken(token, [issuer], authorities);
  return "user" in checked ? checked.user : undefined;
}

/** For these audiences. A static token is for the server itself. */
export function checkToken(
  token: string,
  wanted: readonly string[],
  { users, accounts }: TokenAuthorities,
): TokenCheck {
  const user = users.get(token);
  if (user === undefined) {
    const checked = accounts?.check(token, wanted);
    if (checked === undefined) return { problem: nobodys };
    return "user" in checked ? checked : { problem: `[${nobodys}, ${checked.problem}]` };
  }
  if (!wanted.includes(issuer)) return { problem: nobodys };
  return { user: { ...user, groups: withGroup(user.groups, "system:authenticated") }, audiences: [issuer] };
}

const nobodys = "invalid bearer token";

export function withGroup(groups: readonly string[], group: string): readonly string[] {
  return groups.includes(group) ? groups : [...groups, group];
}
