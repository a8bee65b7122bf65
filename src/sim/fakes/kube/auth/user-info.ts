// Who a request comes from, in the words of authentication.k8s.io.

export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Token → user. */
export type TokenUsers = ReadonlyMap<string, UserInfo>;
