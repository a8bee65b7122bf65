// Which seeds a job lives in: every so many, those that leave a given remainder. Shares of two jobs do not overlap, so that worlds stay small.

export interface SeedShare {
  readonly every: number;
  /** What is left when a seed of this share is divided by `every`. */
  readonly at: number;
  /** Its worlds have no other job, not even the specimen. */
  readonly alone?: boolean;
}

export function isInShare(seed: number, { every, at }: SeedShare): boolean {
  return seed % every === at;
}
