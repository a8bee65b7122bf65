// Optional fields as the rest of the program wants them: absent, never undefined.

export type Present<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

export function present<T extends object>(fields: T): Present<T> {
  const given = fields as Readonly<Record<string, unknown>>;
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(given)) if (given[name] !== undefined) kept[name] = given[name];
  return kept as Present<T>;
}
