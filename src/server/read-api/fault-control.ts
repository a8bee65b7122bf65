// Faults that can be started and stopped at run time. Only a demonstration has any.

import type { Fault } from "../contract.ts";

export interface FaultControl {
  list(): readonly Fault[];
  /** Answers with what is wrong when the fault or its parameters cannot be used. */
  start(id: string, parameters: Readonly<Record<string, number>>): Fault | { readonly problem: string };
  stop(id: string): Fault | { readonly problem: string };
  subscribe(listener: () => void): () => void;
}
