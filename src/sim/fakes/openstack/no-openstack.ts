// A cloud that is not there, for what never asks it.

import { MainstayError } from "../../../core/errors.ts";
import type { OpenStack } from "../../../ports/openstack.ts";

export const noOpenStack: OpenStack = {
  project() {
    throw new MainstayError({ reason: "OpenStackUnreachable", message: "there is no cloud", hint: "Bring one." });
  },
};
