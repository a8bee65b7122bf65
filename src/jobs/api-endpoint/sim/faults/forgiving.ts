// Writes of people, who look again later: somebody was faster, or the API server says no.

import { isKubeError } from "../../../../core/kube-error.ts";

export async function forgiving(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isKubeError(error, "Conflict", "NotFound", "AlreadyExists", "Invalid")) throw error;
  }
}
