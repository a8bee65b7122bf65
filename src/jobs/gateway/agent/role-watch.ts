// Since when each group has its role, and how often roles changed: keepalived is asked every few seconds, and whenever somebody wants to
// know.

import type { Clock, Timer } from "../../../ports/clock.ts";
import type { Keepalived, VrrpRole } from "../../../ports/keepalived.ts";
import type { AgentStatus, GroupStatus } from "../core/model/agent-answers.ts";

const everyMs = 5_000;

export class RoleWatch {
  readonly #clock: Clock;
  readonly #keepalived: Keepalived;
  readonly #seen = new Map<string, { readonly role: VrrpRole; readonly since: string }>();
  #timer: Timer | undefined;
  transitions = 0;

  constructor(clock: Clock, keepalived: Keepalived) {
    this.#clock = clock;
    this.#keepalived = keepalived;
  }

  start(): void {
    this.#timer = this.#clock.after(everyMs, () => {
      void this.look([]).finally(() => this.#timer !== undefined && this.start());
    });
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Of these groups; keepalived that does not answer is unknown, and so is every role then. */
  async look(groups: readonly string[]): Promise<Pick<AgentStatus, "keepalived" | "groups">> {
    const state = await this.#keepalived.state().catch(() => undefined);
    for (const [name, role] of state?.roles ?? []) this.#note(name, role);
    if (state?.running !== true) this.#seen.clear();
    return {
      keepalived: state === undefined ? "unknown" : state.running ? "running" : "stopped",
      groups: groups.map((name): GroupStatus => ({ name, ...(this.#seen.get(name) ?? { role: "unknown" }) })),
    };
  }

  #note(name: string, role: VrrpRole): void {
    const before = this.#seen.get(name);
    if (before?.role === role) return;
    if (before !== undefined) this.transitions += 1;
    this.#seen.set(name, { role, since: new Date(this.#clock.nowMs()).toISOString() });
  }
}
