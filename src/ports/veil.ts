// Hides what may be kept or handed out only in a form that tells nothing. Each veil has a key of its own that nobody else knows
// and that ends with the process: what one veil made means nothing to another.

export interface Veil {
  /** One-way: the same text always gives the same mark, and a mark tells nothing about its text. */
  mark(text: string): string;
  /** Two seals of one number have nothing in common, so that neither its size nor its changes show. */
  seal(number: number): string;
  /** Undefined for anything that this veil did not seal. */
  open(seal: string): number | undefined;
}
