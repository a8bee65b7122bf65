// Who the fake servers know: the same people as the lab's API server.

import type { UserInfo } from "../../../src/sim/fakes/kube/auth/user-info.ts";

export const fakeTokens = { admin: "admin-token", controller: "controller-token", stranger: "a-token-nobody-issued" };

export const fakeUsers: ReadonlyMap<string, UserInfo> = new Map([
  [fakeTokens.admin, { username: "admin", uid: "uid-admin", groups: ["system:masters"] }],
  [fakeTokens.controller, { username: "controller", uid: "uid-controller", groups: ["controllers"] }],
]);
