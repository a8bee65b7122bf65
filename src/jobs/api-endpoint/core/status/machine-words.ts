// How many of the machines behind a load balancer answer, in the same words wherever people read it. Octavia calls what it sends them to its members.

/** `0 of 1 machine answers`, `2 of 3 machines answer`. */
export function machinesAnswer(healthy: number, total: number): string {
  return `${healthy} of ${total} ${total === 1 ? "machine" : "machines"} ${healthy === 1 || total === 1 ? "answers" : "answer"}`;
}

/** Octavia's operating status of a balancer repeats that of its dead pool. */
export const errorBecauseOfMachines = "Octavia says ERROR of it because no machine answers behind it";

/** `blue-az2 does not`, behind how many answer; empty where nobody is named. */
export function namedDown(down: readonly string[]): string {
  return down.length === 0 ? "" : ` (${down.join(", ")} ${down.length === 1 ? "does" : "do"} not)`;
}
