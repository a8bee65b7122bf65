// deploy/crds/*.yaml: the custom resource definitions as manifests, from the objects that the program itself applies.

import { stringify } from "yaml";
import type { CustomResourceDefinition } from "../../src/apis/kube/crd.ts";

export function crdManifest(crd: CustomResourceDefinition): string {
  const text = stringify(crd, { aliasDuplicateObjects: false, lineWidth: 120 });
  return `# Generated from src/apis by \`npm run generate\`; edit those files, not this one.\n${text}`;
}
