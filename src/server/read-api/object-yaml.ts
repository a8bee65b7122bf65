// An object as YAML for people: without managedFields, which nobody reads, and without what kubectl keeps of an earlier version.

import { stringify } from "yaml";
import type { KubeObject } from "../../apis/kube/kube-object.ts";

const keptByKubectl = "kubectl.kubernetes.io/last-applied-configuration";

export function objectYaml(object: KubeObject): string {
  const { managedFields: _, annotations, ...metadata } = object.metadata;
  const { [keptByKubectl]: _kept, ...own } = annotations ?? {};
  const shown = Object.keys(own).length === 0 ? metadata : { ...metadata, annotations: own };
  return stringify({ ...object, metadata: shown }, { lineWidth: 0 });
}
