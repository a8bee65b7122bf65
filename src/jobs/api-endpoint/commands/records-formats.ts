// The forms in which mainstay dns records can print. Its help needs them, and nothing else of the records.

export const recordsFormats = ["text", "bind", "yaml", "json", "external-dns"] as const;
export type RecordsFormat = (typeof recordsFormats)[number];
