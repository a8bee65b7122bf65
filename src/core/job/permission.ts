// A right that a part of Mainstay needs from Kubernetes. Manifests and the questions of `mainstay doctor` are both made from these.

import type { Kind } from "../../apis/kube/kube-object.ts";

export interface Permission {
  readonly kind: Kind;
  readonly subresource?: "status";
  readonly verb: string;
  /** Absent: everywhere. */
  readonly namespace?: string;
  /** The one object it is needed for: a rule that names it is enough. Absent: any, or one whose name is not known yet. */
  readonly name?: string;
  /** Something works without it. */
  readonly optional?: boolean;
}

/** Rights that belong together, and what they are for: a comment in the manifest. */
export interface PermissionGroup {
  readonly purpose?: string;
  readonly rights: readonly Permission[];
  /** For a configuration that not everybody has: manifests grant them, and doctor asks for them only where a feature makes use of them. */
  readonly forSomeConfigurations?: true;
}
