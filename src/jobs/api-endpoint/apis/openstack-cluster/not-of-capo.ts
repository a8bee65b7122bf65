// Which OpenStackClusters the API server asks us about, as CEL. CAPO's own objects are CAPO's to check: they bear its finalizer, and
// nobody gave them to us.

import { annotationsInCel } from "../../../../apis/kube/webhook-configuration.ts";
import { externallyManagedAnnotation } from "../annotations.ts";
import { capoFinalizer } from "./openstack-cluster.ts";

const finalizers = "(has(object.metadata.finalizers) ? object.metadata.finalizers : [])";
const labels = "(has(object.metadata.labels) ? object.metadata.labels : {})";
const managedBy = `'${externallyManagedAnnotation}'`;

export const notOfCapo = `!('${capoFinalizer}' in ${finalizers}) || ${finalizers}.exists(f, f.startsWith('mainstay.dev/')) || ${managedBy} in ${annotationsInCel("object")} || ${managedBy} in ${labels}`;
