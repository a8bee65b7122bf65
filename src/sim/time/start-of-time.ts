// When every simulated world begins, for clocks that must agree.

export const startMs = Date.UTC(2026, 0, 1);
