// Writes of people, who try again later: somebody was faster, or the API server refused.

import { isKubeError } from "../../core/kube-error.ts";

export async function ignoreRefusal(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isKubeError(error, "Conflict", "NotFound", "AlreadyExists", "Invalid")) throw error;
  }
}
