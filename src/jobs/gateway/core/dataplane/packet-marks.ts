// Marks and hashes, the same on all gateways and in all versions: another seed would send the connections of a gateway that takes over
// to other endpoints. A mark is on a packet only while it is translated, in a range of ours; the host's own marks are not looked at.

/** Chooses the bucket, and so the endpoint. */
export const bucketSeed = 0x5eed;
/** Chooses the source address, independently of the bucket: clients that meet at an endpoint shall not also meet at a source. */
export const slotSeed = 0x51ab;

/** Source addresses that one virtual address uses at a time, however many its group has. */
export const slots = 4;

const bucketOffset = 0x4d53_0000;
const slotOffset = 0x4d53_0400;

/** Both ranges, and nothing else, under this mask. */
export const ourMarks = { value: bucketOffset, mask: 0xffff_f800 } as const;

export const marksFrom = { bucket: bucketOffset, slot: slotOffset } as const;

export function bucketMark(bucket: number): number {
  return bucketOffset + bucket;
}

export function slotMark(slot: number): number {
  return slotOffset + slot;
}
