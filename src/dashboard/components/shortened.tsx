// The beginning of a long list, and a button for the rest. The button stays in place after it was pressed.

import { type ReactNode, useState } from "react";

export interface ShortenedProps<T> {
  readonly items: readonly T[];
  /** So many are shown at first. */
  readonly first: number;
  /** What they are, for the button: `entries`. */
  readonly what: string;
  /** The list itself. */
  readonly children: (shown: readonly T[]) => ReactNode;
}

export function Shortened<T>({ items, first, what, children }: ShortenedProps<T>) {
  const [whole, setWhole] = useState(false);
  // A button for one more line would take more room than the line.
  if (items.length <= first + 1) return children(items);
  return (
    <>
      {children(whole ? items : items.slice(0, first))}
      <button type="button" className="show-all" onClick={() => setWhole(!whole)}>
        {whole ? `Show the latest ${first}` : `Show all ${items.length} ${what}`}
      </button>
    </>
  );
}
