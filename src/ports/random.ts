// Randomness as a port, so that one seed can drive a whole world.

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  uuid(): string;
}
