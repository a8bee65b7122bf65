// What a command does is loaded when it is called: its help needs its declaration alone. All loading goes through here, so that it can also be
// done at once: where time is simulated, nothing may wait for a file.

const loads: (() => Promise<unknown>)[] = [];

/** Loaded at the first call, and at hand from then on: `whenCalled(() => import("./status.ts"))`. */
export function whenCalled<M>(load: () => Promise<M>): () => Promise<M> {
  let loaded: Promise<M> | undefined;
  const once = () => (loaded ??= load());
  loads.push(once);
  return once;
}

/** Everything that the commands of this process would load one by one. */
export async function loadAllCommands(): Promise<void> {
  await Promise.all(loads.map((load) => load()));
}
