// Where the lines of a picture run: between each two columns, from the middle of one node to the middle of another. Nodes of a column are
// equally high, so that heights need no measuring. Pure.

import type { EdgeState, Picture } from "../core/views/picture.ts";

export interface GutterLine {
  readonly key: string;
  /** From the top, as a share of the picture's height. */
  readonly from: number;
  readonly to: number;
  readonly state: EdgeState;
}

/** One for each two columns that stand side by side. Lines that matter most come last, so that they lie on top. */
export function pictureGutters({ columns, edges }: Picture): readonly (readonly GutterLine[])[] {
  const middles = columns.map(({ nodes }) => new Map(nodes.map(({ id }, index) => [id, (index + 0.5) / nodes.length])));
  return middles.slice(1).map((right, index) => {
    const left = middles[index];
    const lines = edges.flatMap(({ from: start, to: end, state }): readonly GutterLine[] => {
      const [from, to] = [left?.get(start), right.get(end)];
      return from === undefined || to === undefined ? [] : [{ key: `${start} ${end}`, from, to, state }];
    });
    return lines.toSorted((a, b) => drawn.indexOf(a.state) - drawn.indexOf(b.state));
  });
}

const drawn: readonly EdgeState[] = ["closed", "unknown", "open", "broken"];
