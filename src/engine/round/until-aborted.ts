// Waiting for work that may ignore its signal: when the signal aborts, the wait ends at once, and the work is reported as a straggler.

/** Settles as the work does, or rejects with the signal's reason when that comes first. */
export function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  onStraggler: (work: Promise<unknown>) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let settled = false;
    const abandon = (): void => {
      if (settled) return;
      onStraggler(work.catch(() => undefined));
      reject(asError(signal.reason));
    };
    const settle = (finish: () => void): void => {
      settled = true;
      signal.removeEventListener("abort", abandon);
      finish();
    };
    work.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(asError(error))),
    );
    if (signal.aborted) abandon();
    else signal.addEventListener("abort", abandon, { once: true });
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("aborted", { cause: reason });
}
