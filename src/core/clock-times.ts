// Readings of the two clocks that a process has. They are numbers, and one is not taken for the other: people, objects and clouds know
// the wall clock alone, which is set back and forward by hours; how old something is that this process remembers, the monotonic clock tells.

type ReadingOf<Which extends string> = number & { readonly clock?: Which };

/** Milliseconds since 1970, as the clock of this machine shows them at that moment: for times that others wrote or will read. */
export type WallMs = ReadingOf<"wall">;

/** Milliseconds since a moment that means nothing outside of this process. Never goes backwards and never jumps: for every age and wait. */
export type MonotonicMs = ReadingOf<"monotonic">;

/** One moment on both. */
export interface Moment {
  readonly nowMs: WallMs;
  readonly monotonicMs: MonotonicMs;
}
