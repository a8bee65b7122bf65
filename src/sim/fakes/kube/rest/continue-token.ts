// Where a page ended: opaque to clients, and bound to the revision of the first page so that all pages show one state.

import { badRequest } from "./api-error.ts";

export interface ContinueToken {
  /** -1: go on with whatever is there now. */
  readonly revision: number;
  readonly lastKey: string;
}

export function encodeContinue({ revision, lastKey }: ContinueToken): string {
  const text = JSON.stringify({ v: "meta.k8s.io/v1", rv: revision, start: `${lastKey}\u0000` });
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text))).replaceAll("=", "");
}

export function decodeContinue(token: string): ContinueToken {
  const refused = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  try {
    const value: unknown = JSON.parse(atob(token));
    if (typeof value === "object" && value !== null && "rv" in value && "start" in value) {
      const { rv, start } = value;
      if (typeof rv === "number" && typeof start === "string" && rv !== 0) {
        return { revision: rv, lastKey: start.slice(0, -1) };
      }
    }
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error));
  }
  throw refused("incorrect encoded start resourceVersion");
}
