// A picture as a tree, for where columns have no room: what each thing leads to stands below it. What several things lead to stands below
// each of them, and its own branches only below the first. Pure.

import type { EdgeState, Picture, PictureNode } from "./picture.ts";

export interface PictureBranch {
  readonly node: PictureNode;
  /** The title of its column. */
  readonly what: string;
  /** The way to it; absent for those that nothing leads to. */
  readonly edge?: EdgeState;
  readonly branches: readonly PictureBranch[];
}

export function pictureTree({ columns, edges }: Picture): readonly PictureBranch[] {
  const nodes = new Map(columns.flatMap(({ title, nodes: own }) => own.map((node) => [node.id, { node, title }])));
  const isReached = new Set(edges.map(({ to }) => to));
  const opened = new Set<string>();
  const branch = (id: string, edge: EdgeState | undefined): readonly PictureBranch[] => {
    const found = nodes.get(id);
    if (found === undefined) return [];
    const isFirst = !opened.has(id);
    opened.add(id);
    const leads = isFirst ? edges.filter(({ from }) => from === id) : [];
    return [
      {
        node: found.node,
        what: found.title,
        ...(edge === undefined ? {} : { edge }),
        branches: leads.flatMap(({ to, state }) => branch(to, state)),
      },
    ];
  };
  return [...nodes.keys()].filter((id) => !isReached.has(id)).flatMap((id) => branch(id, undefined));
}
