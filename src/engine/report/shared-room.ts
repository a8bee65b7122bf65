// Several lists where there is room for so many in all.

/** At most so many in all, one of each list in turn: many objects of one kind leave room for those of another. */
export function sharedRoom<T>(lists: readonly (readonly T[])[], most: number): readonly T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const kept = lists.map(() => 0);
  for (let place = 0, room = most; place < longest && room > 0; place += 1)
    for (const [index, list] of lists.entries())
      if (place < list.length && room > 0) {
        kept[index] = place + 1;
        room -= 1;
      }
  return lists.flatMap((list, index) => list.slice(0, kept[index]));
}
