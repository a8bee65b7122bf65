// The credentials in a configuration of ch-k8s-lbaas as a clouds.yaml would have them. It holds secrets: nobody prints it.

import type { LbaasControllerConfig } from "./lbaas-controller-config.ts";

/** The name of its one entry. */
export const lbaasCloudName = "openstack";

const besideAuth = ["region", "ca-file", "tls-insecure", "trust-id"];

/** A whole clouds.yaml, parsed. */
export function cloudOfLbaas({ openstack: { auth } }: LbaasControllerConfig): unknown {
  const fields = Object.entries(auth).filter(([name, value]) => !besideAuth.includes(name) && value !== "");
  const isApplication = fields.some(([name]) => name.startsWith("application-credential-"));
  const { region, "tls-insecure": insecure } = auth;
  const entry = {
    auth: Object.fromEntries(fields.map(([name, value]) => [name.replaceAll("-", "_"), value])),
    ...(isApplication ? { auth_type: "v3applicationcredential" } : {}),
    ...(typeof region === "string" && region !== "" ? { region_name: region } : {}),
    ...(insecure === true ? { verify: false } : {}),
  };
  return { clouds: { [lbaasCloudName]: entry } };
}
