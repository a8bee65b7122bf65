// Randomness as a port, so that one seed determines a whole simulation.

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  uuid(): string;
}
