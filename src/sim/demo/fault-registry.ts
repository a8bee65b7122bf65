// Faults that a person can start: one registry, which each job extends by a definition. Each fault heals by itself after a time.

import type { Clock, Timer } from "../../ports/clock.ts";
import type { ActiveFault, Fault, FaultParameter } from "../../server/contract.ts";
import type { FaultControl } from "../../server/read-api/fault-control.ts";

export interface FaultDefinition extends Omit<Fault, "active" | "parameters"> {
  /** Beside `seconds`, which every fault has. */
  readonly parameters?: readonly FaultParameter[];
  /** How long it lasts when nobody says otherwise. */
  readonly defaultSeconds: number;
  /** Begins it. `say` tells what it has done so far; the function given back ends it. */
  readonly begin: (parameters: Readonly<Record<string, number>>, say: (words: string) => void) => () => void;
}

interface Running {
  readonly active: ActiveFault;
  readonly end: () => void;
  readonly timer: Timer;
}

const longestSeconds = 3_600;

export class FaultRegistry implements FaultControl {
  readonly #definitions: readonly FaultDefinition[];
  readonly #clock: Clock;
  readonly #running = new Map<string, Running>();
  readonly #listeners = new Set<() => void>();

  constructor(definitions: readonly FaultDefinition[], clock: Clock) {
    this.#definitions = definitions;
    this.#clock = clock;
  }

  list(): readonly Fault[] {
    return this.#definitions.map((definition) => this.#faultOf(definition));
  }

  start(id: string, given: Readonly<Record<string, number>>): Fault | { readonly problem: string } {
    const definition = this.#find(id);
    if (definition === undefined) return this.#unknown(id);
    const wanted = parametersOf(definition);
    const problems = [
      ...Object.keys(given)
        .filter((name) => !wanted.some((parameter) => parameter.name === name))
        .map((name) => `there is no setting ${name}; known are ${wanted.map((one) => one.name).join(", ")}`),
      ...wanted.flatMap((parameter) => problemOf(parameter, given[parameter.name])),
    ];
    if (problems.length > 0) return { problem: `${id}: ${problems.join("; ")}` };
    this.#end(id);
    const parameters = Object.fromEntries(wanted.map((one) => [one.name, given[one.name] ?? one.default]));
    this.#begin(definition, parameters);
    return this.#faultOf(definition);
  }

  stop(id: string): Fault | { readonly problem: string } {
    const definition = this.#find(id);
    if (definition === undefined) return this.#unknown(id);
    this.#end(id);
    return this.#faultOf(definition);
  }

  stopAll(): void {
    for (const id of this.#running.keys()) this.#end(id);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #begin(definition: FaultDefinition, parameters: Readonly<Record<string, number>>): void {
    const { id } = definition;
    const nowMs = this.#clock.nowMs();
    const lastsMs = (parameters["seconds"] ?? definition.defaultSeconds) * 1_000;
    const active = {
      startedAt: new Date(nowMs).toISOString(),
      endsAt: new Date(nowMs + lastsMs).toISOString(),
      parameters,
      says: "has just begun",
    };
    const say = (says: string): void => {
      const running = this.#running.get(id);
      if (running === undefined || running.active.startedAt !== active.startedAt) return;
      this.#running.set(id, { ...running, active: { ...running.active, says } });
      this.#tell();
    };
    const timer = this.#clock.after(lastsMs, () => this.#end(id));
    this.#running.set(id, { active, timer, end: () => {} });
    const end = definition.begin(parameters, say);
    const running = this.#running.get(id);
    if (running !== undefined) this.#running.set(id, { ...running, end });
    this.#tell();
  }

  #end(id: string): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#running.delete(id);
    running.timer.cancel();
    running.end();
    this.#tell();
  }

  #faultOf(definition: FaultDefinition): Fault {
    const { id, title, description, watch } = definition;
    const active = this.#running.get(id)?.active;
    return {
      id,
      title,
      description,
      watch,
      parameters: parametersOf(definition),
      ...(active === undefined ? {} : { active }),
    };
  }

  #find(id: string): FaultDefinition | undefined {
    return this.#definitions.find((definition) => definition.id === id);
  }

  #unknown(id: string): { readonly problem: string } {
    return { problem: `there is no fault ${id}; known are ${this.#definitions.map((one) => one.id).join(", ")}` };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function parametersOf({ parameters = [], defaultSeconds }: FaultDefinition): readonly FaultParameter[] {
  const seconds = {
    name: "seconds",
    title: "heals after",
    unit: "s",
    default: defaultSeconds,
    min: 1,
    max: longestSeconds,
  };
  return [seconds, ...parameters];
}

function problemOf({ name, min, max }: FaultParameter, value: number | undefined): readonly string[] {
  if (value === undefined || (Number.isFinite(value) && value >= min && value <= max)) return [];
  return [`${name} must be from ${min} to ${max}, not ${value}`];
}
