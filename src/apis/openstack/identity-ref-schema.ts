// The schema of the reference to credentials, the same for both front doors. Its region can be neither changed nor added nor removed.

import type { CrdSchema } from "../kube/crd.ts";

const text = { type: "string" };

export const identityRefSchema: CrdSchema = {
  type: "object",
  description: "Names the credentials for OpenStack.",
  required: ["name", "cloudName"],
  "x-kubernetes-preserve-unknown-fields": true,
  "x-kubernetes-validations": [
    {
      rule: "has(self.region) == has(oldSelf.region) && (!has(self.region) || self.region == oldSelf.region)",
      message: "region is immutable",
      fieldPath: ".region",
    },
  ],
  properties: {
    type: {
      ...text,
      enum: ["Secret", "ClusterIdentity"],
      default: "Secret",
      description: "Secret: one in this namespace. ClusterIdentity: an OpenStackClusterIdentity.",
    },
    name: { ...text, minLength: 1, maxLength: 253, description: "The name of the Secret or of the identity." },
    cloudName: { ...text, minLength: 1, maxLength: 255, description: "The entry of clouds.yaml." },
    region: { ...text, maxLength: 255, description: "Overrides the region of clouds.yaml. It cannot be changed." },
  },
};
