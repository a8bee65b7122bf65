// How much each gateway of a group wants to lead. A priority depends on the place in the group's order alone: a gateway that joins at
// the end changes nobody else's, so gateways whose documents differ for a while rarely claim the same one.

/** What the track file adds while a gateway is ready: more than any difference between places, and at most 254 together. */
export const readyBonus = 150;

const byPlace = [100, 80, 60, 50, 40, 30, 20, 15, 10, 5] as const;

/** Of a gateway that is not ready; the first place is 0. Beyond the tenth place all are equal, and the higher address wins. */
export function basePriority(place: number): number {
  return byPlace[place] ?? 1;
}
