// An API server in one process: strict, stateful, without sockets, driven by the Clock and Random it is given.
// The same calls in the same order always give the same answers.

import type { Clock } from "../../../ports/clock.ts";
import type { KubeHttpRequest, KubeHttpResponse, KubeTransport, SendOptions } from "../../../ports/kube-transport.ts";
import type { Random } from "../../../ports/random.ts";
import type { CallWebhook } from "./admission/webhook-call.ts";
import { AccountTokens } from "./auth/account-tokens.ts";
import type { UserInfo } from "./auth/user-info.ts";
import { bootstrap } from "./bootstrap.ts";
import { Controllers } from "./gc/controllers.ts";
import { builtinResources } from "./kinds/builtin-resources.ts";
import { firstAddress } from "./kinds/service-ranges.ts";
import { crdStorage, resourceRegistry } from "./resource-registry.ts";
import { handleRequest } from "./rest/handle-request.ts";
import { objectAt, stringAt } from "./schema/json-value.ts";
import type { ServerContext } from "./server-context.ts";
import { type Backup, type ChangeListener, ObjectStore } from "./storage/object-store.ts";

export interface FakeKubeApiOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Token → user. Default: one administrator with the token `admin`. */
  readonly users?: ReadonlyMap<string, UserInfo>;
  /** How many changes watches and old lists can go back. */
  readonly historyLimit?: number;
  readonly bookmarkIntervalMs?: number;
  /** Events a watch may lag behind before it is cut off. */
  readonly watchBufferLimit?: number;
  readonly serviceCidr?: string;
  readonly nodePortRange?: readonly [first: number, last: number];
  /** How admission and conversion webhooks are reached. Default: they are not. */
  readonly callWebhook?: CallWebhook;
}

export interface FakeKubeApi {
  handle(request: KubeHttpRequest, options?: SendOptions): Promise<KubeHttpResponse>;
  /** In-process transport. Without a token the caller is anonymous. */
  transport(bearerToken?: string): KubeTransport;
  /** Lets garbage collection, namespace deletion and CRD clean-up come to rest. */
  settle(): Promise<void>;
  /** Forgets all history: older watches and continue tokens get 410. */
  compactHistory(): void;
  /** Ends every open watch, as a restart of the server does. */
  closeWatches(): void;
  /** The listener gets every stored change at once, the server's own controllers' included. Returns how to stop listening. */
  onChange(listener: ChangeListener): () => void;
  /** Others write, too: the revision grows although nothing here changes. */
  advanceRevision(revisions: number): void;
  backup(): Backup;
  /** Revisions go backwards and watches end, as after a restore of etcd. */
  restore(backup: Backup): void;
  close(): void;
}

const defaultServiceCidr = "10.96.0.0/16";

export const adminToken = "admin";

const administrator: UserInfo = { username: "admin", uid: "admin", groups: ["system:masters"] };

export function createFakeKubeApi(options: FakeKubeApiOptions): FakeKubeApi {
  const server = serverContext(options);
  const controllers = new Controllers(server);
  bootstrap(server, firstAddress(options.serviceCidr ?? defaultServiceCidr));
  // History begins here: what a client could have seen before is too old, as on a server that has run for a while.
  server.store.compact();
  const closeWatches = (): void => {
    for (const watch of server.watches) watch.close();
  };
  const handle = (request: KubeHttpRequest, { signal }: SendOptions = {}): Promise<KubeHttpResponse> =>
    handleRequest(server, request, signal);
  return {
    handle,
    transport: (bearerToken) => transport(handle, bearerToken),
    settle: () => controllers.settle(),
    compactHistory: () => server.store.compact(),
    closeWatches,
    onChange: (listener) => server.store.subscribe(listener),
    advanceRevision: (revisions) => server.store.advance(revisions),
    backup: () => server.store.backup(),
    restore: (backup) => {
      server.store.restore(backup);
      closeWatches();
      controllers.resync();
    },
    close: () => {
      controllers.stop();
      closeWatches();
    },
  };
}

function serverContext(options: FakeKubeApiOptions): ServerContext {
  const store = new ObjectStore(options.historyLimit ?? 10_000);
  const stored = (resource: string) => store.list(resource).map(([, object]) => object);
  const rbac = "rbac.authorization.k8s.io";
  const builtin = builtinResources({
    store,
    random: options.random,
    serviceCidr: options.serviceCidr ?? defaultServiceCidr,
    nodePortRange: options.nodePortRange ?? [30000, 32767],
    otherCrds: () => stored(crdStorage),
  });
  return {
    clock: options.clock,
    random: options.random,
    store,
    registry: resourceRegistry(builtin, store),
    users: options.users ?? new Map([[adminToken, administrator]]),
    accounts: new AccountTokens({ ...options, uidOf: (namespace, name) => uidOf(store, namespace, name) }),
    rbac: {
      get roles() {
        return stored(`${rbac}/roles`);
      },
      get clusterRoles() {
        return stored(`${rbac}/clusterroles`);
      },
      get roleBindings() {
        return stored(`${rbac}/rolebindings`);
      },
      get clusterRoleBindings() {
        return stored(`${rbac}/clusterrolebindings`);
      },
    },
    callWebhook: options.callWebhook ?? (() => Promise.reject(new Error("no webhook can be reached"))),
    bookmarkIntervalMs: options.bookmarkIntervalMs ?? 60_000,
    watchBufferLimit: options.watchBufferLimit ?? 10_000,
    watches: new Set(),
  };
}

function uidOf(store: ObjectStore, namespace: string, name: string): string | undefined {
  const account = store.get("/serviceaccounts", namespace, name);
  return account === undefined ? undefined : stringAt(objectAt(account, "metadata"), "uid");
}

function transport(handle: FakeKubeApi["handle"], bearerToken: string | undefined): KubeTransport {
  const credentials = bearerToken === undefined ? {} : { authorization: `Bearer ${bearerToken}` };
  return {
    send: async (request, options = {}) => {
      options.signal?.throwIfAborted();
      options.beforeSend?.();
      const answer = handle({ ...request, headers: { ...credentials, ...request.headers } }, options);
      return options.signal === undefined ? answer : unlessAborted(answer, options.signal);
    },
    close: () => Promise.resolve(),
  };
}

/** A caller that gives up does not wait for a slow webhook; the server goes on without it, as real ones do. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void =>
      reject(signal.reason instanceof Error ? signal.reason : new Error("the call was given up"));
    signal.addEventListener("abort", abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
