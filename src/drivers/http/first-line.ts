// The first line of an error page, cut to a length that fits into a message.

const maxLength = 200;

export function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
