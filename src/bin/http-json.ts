// JSON over HTTP to a server on this machine, for commands.

import { MainstayError } from "../core/errors.ts";

const timeoutMs = 10_000;

export async function httpJson({
  method,
  url,
  body,
}: {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
}) {
  const json =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  try {
    const answer = await fetch(url, { method, signal: AbortSignal.timeout(timeoutMs), redirect: "error", ...json });
    const parsed: unknown = await answer.json();
    return { status: answer.status, body: parsed };
  } catch (error) {
    throw new MainstayError({
      reason: "ApiUnreachable",
      message: `${URL.parse(url)?.origin ?? url} does not answer as a demonstration would`,
      hint: "Start mainstay demo in another terminal, and give --server the dashboard's address that it prints.",
      cause: error,
    });
  }
}
