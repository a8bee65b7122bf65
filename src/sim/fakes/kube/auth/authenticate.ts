// Static bearer tokens, as kube-apiserver's --token-auth-file: a token names a user, none is anonymous, a wrong one is nobody.

import type { TokenUsers, UserInfo } from "./user-info.ts";

export const anonymous: UserInfo = { username: "system:anonymous", groups: ["system:unauthenticated"] };

/**
 * Header names in lower case. Undefined: a token was given and is wrong, so the answer is 401. Credentials of another
 * scheme have no one to judge them, so that their bearer stays anonymous, as on the real server.
 */
export function authenticate(headers: Readonly<Record<string, string>>, users: TokenUsers): UserInfo | undefined {
  const token = /^bearer +(\S+) *$/i.exec(headers["authorization"] ?? "")?.[1];
  return token === undefined ? anonymous : userOfToken(token, users);
}

export function userOfToken(token: string, users: TokenUsers): UserInfo | undefined {
  const user = users.get(token);
  return user === undefined ? undefined : { ...user, groups: withGroup(user.groups, "system:authenticated") };
}

export function withGroup(groups: readonly string[], group: string): readonly string[] {
  return groups.includes(group) ? groups : [...groups, group];
}
