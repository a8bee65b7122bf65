// Deletions as the ports promise them: what is gone already is deleted.

import { isOpenStackError } from "../../../core/openstack/openstack-error.ts";

export async function unlessGone(deletion: Promise<void>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!isOpenStackError(error, "NotFound")) throw error;
  }
}
