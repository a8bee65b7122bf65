// Order by a text of each value, the same on every machine: by code units, not by the language of whoever runs it.

/** For `toSorted`: `byText(({ name }) => name)`. */
export function byText<T>(textOf: (value: T) => string): (a: T, b: T) => number {
  return (a, b) => {
    const [one, other] = [textOf(a), textOf(b)];
    return one === other ? 0 : one < other ? -1 : 1;
  };
}
