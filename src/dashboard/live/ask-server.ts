// One request to the server. Returns the answer as the contract types it, or throws AskFailed. The token goes into a header and
// nowhere else.

import { isRecord } from "../../apis/text/problem.ts";
import { present } from "../../core/present.ts";
import type { ApiError } from "../../server/contract.ts";
import { AskFailed } from "../words/failure.ts";
import type { BrowserPorts } from "./browser-ports.ts";

export interface Question {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export async function askServer(ports: BrowserPorts, route: string, question: Question = {}): Promise<Response> {
  const { method = "GET", body, token, headers = {}, signal } = question;
  let response: Response;
  try {
    response = await ports.fetch(route, {
      method,
      headers: {
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...present({ signal }),
      cache: "no-store",
      // Only the token in its header identifies the viewer, never a cookie.
      credentials: "omit",
    });
  } catch {
    throw new AskFailed({ kind: "unreachable" });
  }
  if (response.ok) return response;
  throw new AskFailed(await failureIn(response));
}

/** The answer's JSON, as the contract types it. */
export async function readAnswer<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch {
    throw new AskFailed({ kind: "garbled", status: response.status });
  }
}

async function failureIn(response: Response): Promise<AskFailed["failure"]> {
  const { status } = response;
  const body: unknown = await response.json().catch(() => undefined);
  const error = isRecord(body) ? body["error"] : undefined;
  return isApiError(error) ? { kind: "answered", status, error } : { kind: "garbled", status };
}

function isApiError(value: unknown): value is ApiError {
  return isRecord(value) && typeof value["code"] === "string" && typeof value["message"] === "string";
}
