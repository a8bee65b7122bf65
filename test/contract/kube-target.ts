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
  /** A token the server does not know. */
  readonly stranger: Kube;
  readonly kubeconfigPath?: string;
  close(): Promise<void>;
}

export interface KubeTarget {
  readonly name: string;
  open(): Promise<KubeTargetSession>;
}
