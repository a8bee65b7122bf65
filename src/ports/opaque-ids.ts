// Turns texts and numbers into ids that reveal nothing about them. Each instance has a random key of its own that ends with the
// process, so that ids of one instance mean nothing to another.

export interface OpaqueIds {
  /** One-way: the same text always gives the same hash, and the hash reveals nothing about the text. */
  hash(text: string): string;
  /** Two ids of the same number differ completely, so that neither the number nor its changes can be read from them. */
  encrypt(number: number): string;
  /** Undefined for anything that this instance did not encrypt. */
  decrypt(id: string): number | undefined;
}
