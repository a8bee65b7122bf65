// The real API server of the lab.

import type { KubeLab } from "../../lab.ts";
import type { KubeTarget } from "../kube-target.ts";
import { openSession } from "./kubeconfig-session.ts";

export function realTarget(lab: KubeLab): KubeTarget {
  return {
    name: "the real API server",
    open: () =>
      openSession({
        admin: lab.kubeconfig,
        restricted: lab.controllerKubeconfig,
        restrictedToken: lab.tokens.controller,
      }),
  };
}
