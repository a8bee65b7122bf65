// One request on an undici dispatcher, with two things that undici's own `request` lacks: `beforeSend` runs in the same turn as the
// request is written to its connection, and an abort takes effect at once, also while the request is queued or connecting.

import type { Dispatcher } from "undici";
import type { HttpResponse } from "../../ports/http-response.ts";
import { abortReason } from "./deadline.ts";
import { ResponseBody } from "./response-body.ts";

type Controller = Dispatcher.DispatchController;

export interface DispatchOptions {
  readonly signal?: AbortSignal;
  /** Runs when the request is about to be written to its connection; throwing keeps it from leaving. */
  readonly beforeSend?: () => void;
}

export function dispatchRequest(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { signal, beforeSend }: DispatchOptions,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let controller: Controller | undefined;
    let body: ResponseBody | undefined;
    let failure: Error | undefined;

    function fail(error: Error): void {
      signal?.removeEventListener("abort", onAbort);
      failure ??= error;
      body?.fail(failure);
      reject(failure);
    }
    function onAbort(): void {
      if (signal === undefined) return;
      fail(abortReason(signal));
      controller?.abort(abortReason(signal));
    }
    if (signal?.aborted === true) return fail(abortReason(signal));
    signal?.addEventListener("abort", onAbort, { once: true });

    dispatcher.dispatch(request, {
      onRequestStart(started: Controller) {
        controller = started;
        try {
          // Given up while it waited for a connection.
          if (failure !== undefined) throw failure;
          beforeSend?.();
        } catch (error) {
          const reason = error instanceof Error ? error : new Error("refused before sending", { cause: error });
          fail(reason);
          started.abort(reason);
        }
      },
      onResponseStart(started: Controller, status: number, headers) {
        if (status < 200) return;
        body = new ResponseBody(started);
        resolve({ status, headers: flatten(headers), body });
      },
      onResponseData(_: Controller, chunk: Buffer) {
        body?.push(chunk);
      },
      onResponseEnd() {
        signal?.removeEventListener("abort", onAbort);
        body?.end();
      },
      onResponseError(_: Controller, error: Error) {
        fail(error);
      },
    });
  });
}

function flatten(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = typeof value === "string" ? value : value.join(", ");
  }
  return flat;
}
