// The JSON patch in a mutating webhook's answer: base64 around JSON around steps.

import { z } from "zod";
import { present } from "../../../../core/present.ts";
import type { PatchStep } from "../patch/json-patch.ts";

const stepsSchema = z.array(
  z.object({ op: z.string(), path: z.string(), from: z.string().optional(), value: z.json().optional() }),
);

export type DecodedPatch = { readonly steps: readonly PatchStep[] } | { readonly problem: string };

export function decodePatch(encoded: string): DecodedPatch {
  let json: unknown;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    return undecodable(error instanceof Error ? error.message : String(error));
  }
  const decoded = stepsSchema.safeParse(json);
  if (!decoded.success) return undecodable(z.prettifyError(decoded.error));
  const steps = decoded.data.map(({ op, path, from, value }) => ({
    op,
    path,
    ...present({ from, value }),
  }));
  return { steps };
}

function undecodable(problem: string): DecodedPatch {
  return { problem: `received undecodable patch in webhook response: ${problem}` };
}
