// What a contract behaviour may use. It never learns which server answers: the fake in-process, the fake over HTTP, or the real one.

import type { Kube } from "../../src/ports/kube.ts";
import type { KubeTransport } from "../../src/ports/kube-transport.ts";

export interface KubeTargetSession {
  /** Allowed to do everything. */
  readonly admin: Kube;
  /** The same rights, as raw HTTP: for behaviours below the client. */
  readonly transport: KubeTransport;
  /** User `controller` in group `controllers`, without any rights until a test binds a role to it. */
  readonly restricted: Kube;
  /** The token of that user. */
  readonly restrictedToken: string;
  /** A token the server does not know. */
  readonly stranger: Kube;
  /** Whoever this token belongs to, and nobody else. */
  readonly bearer: (token: string) => Promise<Kube>;
  readonly kubeconfigPath?: string;
  close(): Promise<void>;
}

export interface KubeTarget {
  readonly name: string;
  open(): Promise<KubeTargetSession>;
}

/** What each behaviour works with. Namespace and names are its own, so that suites may run beside each other on one server. */
export interface ContractContext extends KubeTargetSession {
  /** Fresh for this run of the suite; gone afterwards. */
  readonly namespace: string;
  /** A name nobody else uses: for objects, namespaces and API groups. */
  readonly unique: (prefix: string) => string;
  /** Runs at the end of the suite, the last registered first. Failures there are ignored: the object may be gone. */
  readonly cleanup: (task: () => Promise<unknown>) => void;
}

/** How an area's behaviours get their context: only inside `it` and hooks, once the session is open. */
export type GetContext = () => ContractContext;
