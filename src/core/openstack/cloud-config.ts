// One entry of a clouds.yaml, parsed: where to authenticate, as whom, and which endpoints to use. It holds secrets, so that nothing
// may print it.

export type CloudAuth =
  | {
      readonly type: "password";
      readonly user: { readonly id: string } | { readonly name: string; readonly domain: DomainRef };
      readonly password: string;
      readonly scope: ProjectScope;
    }
  | {
      readonly type: "application-credential";
      readonly credential:
        | { readonly id: string }
        | {
            readonly name: string;
            readonly user: { readonly id: string } | { readonly name: string; readonly domain: DomainRef };
          };
      readonly secret: string;
    }
  /** Its own scope is kept when none is given. */
  | { readonly type: "token"; readonly token: string; readonly scope?: ProjectScope };

export type DomainRef = { readonly id: string } | { readonly name: string };
export type ProjectScope = { readonly id: string } | { readonly name: string; readonly domain: DomainRef };

export interface CloudConfig {
  /** Name of the entry in its clouds.yaml: for people. */
  readonly cloudName: string;
  readonly authUrl: string;
  readonly auth: CloudAuth;
  /** Absent: the first region of the catalogue. */
  readonly region?: string;
  readonly interface: "public" | "internal" | "admin";
  /** PEM; absent: the system's. */
  readonly caCertificate?: string;
  readonly verifyTls: boolean;
}
