// Why nobody here looks after an OpenStackCluster: what it lacks, and how it comes by that.

import { externallyManagedAnnotation } from "../../apis/annotations.ts";

export interface Lack {
  readonly says: string;
  /** What to do, in the imperative. */
  readonly fix: string;
}

export function lacks(given: { readonly mark: boolean; readonly owner: boolean }): readonly Lack[] {
  return [
    ...(given.mark
      ? []
      : [
          {
            says: `it has no annotation ${externallyManagedAnnotation}, so it is CAPO's`,
            fix: "Set it to mainstay, or make an APIEndpoint beside the object.",
          },
        ]),
    ...(given.owner
      ? []
      : [
          {
            says: "it has no owner reference to a Cluster",
            fix: "Name this object in the infrastructureRef of a Cluster: Cluster API then sets one.",
          },
        ]),
  ];
}
