// What a failed list or watch means for an informer: the reason in metrics, and the informer's next state.

import { isKubeError, type KubeErrorCode } from "../../core/kube-error.ts";
import type { StoreState } from "./store.ts";

/** Label of the metric that counts restarts. */
export type RestartReason =
  | "ended"
  | "idle"
  | "expired"
  | "history-replaced"
  | "rate-limited"
  | "not-served"
  | "forbidden"
  | "unreachable"
  | "server-error"
  | "internal-error";

/** The server's resource versions are older than ours: its storage was restored from a backup. */
export class HistoryReplaced extends Error {
  constructor(before: string, now: string) {
    super(`resource version went back from ${before} to ${now}`);
    this.name = "HistoryReplaced";
  }
}

const reasonByCode: Readonly<Record<KubeErrorCode, RestartReason>> = {
  // A collection is never "not found": a 404 for it means that the kind is not served.
  NotFound: "not-served",
  KindNotServed: "not-served",
  Forbidden: "forbidden",
  Unauthorized: "forbidden",
  Gone: "expired",
  TooManyRequests: "rate-limited",
  Timeout: "unreachable",
  Unreachable: "unreachable",
  ServerError: "server-error",
  Conflict: "server-error",
  AlreadyExists: "server-error",
  Invalid: "server-error",
  BadRequest: "server-error",
};

export function restartReasonOf(error: unknown): RestartReason {
  if (error instanceof HistoryReplaced) return "history-replaced";
  if (!isKubeError(error)) return "internal-error";
  // Our version is newer than the server's: it waits for that version in vain and answers with a timeout.
  if (error.causes.some(({ reason }) => reason === "ResourceVersionTooLarge")) return "history-replaced";
  return reasonByCode[error.code];
}

export type FailureState = Exclude<StoreState, "pending" | "synced">;

/** Undefined: the state stays; the informer only has to connect or list again. */
export function stateAfter(reason: RestartReason): FailureState | undefined {
  switch (reason) {
    case "ended":
    case "idle":
    case "expired":
    case "history-replaced":
      return undefined;
    case "not-served":
    case "forbidden":
      return reason;
    default:
      return "unreachable";
  }
}

/** Whether the next attempt has to list, or can resume where this one stopped. */
export function needsList(reason: RestartReason): boolean {
  return reason === "expired" || reason === "history-replaced" || reason === "not-served";
}

/** The streaming list itself was refused or failed, not the network or the kind as such: a paged list may work. */
export function refusesStreaming(reason: RestartReason): boolean {
  return (
    reason === "server-error" ||
    reason === "expired" ||
    reason === "history-replaced" ||
    reason === "idle" ||
    reason === "ended"
  );
}
