// How to reach one API server: address, trust, proxy, credentials. Made from a kubeconfig or from inside a cluster.

export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface Credential {
  /** A list is sent as one header a value. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly certificate?: ClientCertificate;
}

export interface Credentials {
  /** What to present now. Cheap: called for every request. */
  current(): Promise<Credential>;
  /** The server answered 401. True when `current` now returns another credential. */
  refresh(): Promise<boolean>;
}

export interface Trust {
  /** PEM; absent means the system's authorities. */
  readonly authorities?: string;
  readonly insecure: boolean;
  readonly serverName?: string;
}

export interface ClusterConnection {
  /** May carry a path, as behind Rancher's or Teleport's proxies. */
  readonly server: string;
  /** Read for every request: an authority file may be replaced. */
  trust(): Promise<Trust>;
  readonly proxy?: string;
  readonly credentials: Credentials;
  /** The context's namespace, for commands that name none. */
  readonly namespace: string;
}
