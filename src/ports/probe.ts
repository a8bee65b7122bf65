// Asking an address whether an API server answers there, as clients do. What comes of it is an answer or none; it never throws.

export interface ProbeTarget {
  readonly address: string;
  readonly port: number;
  /** `tcp`: a connection is enough. `readyz`: TLS, and an answer to `GET /readyz`. */
  readonly how: "tcp" | "readyz";
  /** Without an answer within this time there is none. */
  readonly timeoutMs: number;
}

export interface Probe {
  isAnswered(target: ProbeTarget): Promise<boolean>;
}
