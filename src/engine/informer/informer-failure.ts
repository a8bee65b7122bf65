// What a failed attempt to list or watch means for an informer: a word for metrics, and the state it is in from then on.

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

/** The server knows nothing of the resource versions we hold: its storage was restored from a backup. */
export class HistoryReplaced extends Error {
  constructor(seen: string, now: string) {
    super(`resource version went back from ${seen} to ${now}`);
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
  // A version from the future: the server waits for it in vain and calls that a timeout.
  if (error.causes.some(({ reason }) => reason === "ResourceVersionTooLarge")) return "history-replaced";
  return reasonByCode[error.code];
}

export type Trouble = Exclude<StoreState, "pending" | "synced">;

/** Undefined: the informer is as well as before, it only has to connect or list again. */
export function stateAfter(reason: RestartReason): Trouble | undefined {
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

/** Whether the next attempt can go on where this one stopped, or has to list. */
export function needsList(reason: RestartReason): boolean {
  return reason === "expired" || reason === "history-replaced" || reason === "not-served";
}

/** The streaming list itself was refused or broke: not a network failure, nor a kind that cannot be listed either. */
export function refusesStreaming(reason: RestartReason): boolean {
  return (
    reason === "server-error" ||
    reason === "expired" ||
    reason === "history-replaced" ||
    reason === "idle" ||
    reason === "ended"
  );
}
