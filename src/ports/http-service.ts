// What answers HTTP requests, without a socket: whoever listens hands requests over and sends what comes back.

export interface HttpQuestion {
  readonly method: string;
  /** Without what follows a question mark. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly peer: {
    readonly isLoopback: boolean;
    /** Of a client whose certificate was verified: the common name of its subject. */
    readonly certificateName?: string;
  };
  /** May be read once. It ends with an error when the client is too slow or goes away. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type HttpService = (question: HttpQuestion) => Promise<HttpReply>;
