// Reads the part of Markdown that runbook pages use into blocks and spans, so that a page becomes elements and never
// raw HTML. Pure. What it does not know stays readable text.

export type Span =
  | { readonly kind: "text" | "code" | "strong"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly spans: readonly Span[] }
  | { readonly kind: "paragraph"; readonly spans: readonly Span[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly (readonly Span[])[] };

const heading = /^(#{1,4}) +(.*)$/;
const item = /^ {0,3}(?:[-*]|(\d+)\.) +(.*)$/;
const fence = /^```/;

export function parseRunbook(markdown: string): readonly Block[] {
  const lines = markdown.split(/\r?\n/);
  const blocks: Block[] = [];
  while (lines.length > 0) {
    const block = takeBlock(lines);
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}

/** Takes at least one line off the front. */
function takeBlock(lines: string[]): Block | undefined {
  const first = lines.shift() ?? "";
  if (first.trim() === "") return undefined;
  if (fence.test(first)) return takeCode(lines);
  const [, marks, title] = heading.exec(first) ?? [];
  if (marks !== undefined && title !== undefined)
    return { kind: "heading", level: marks.length, spans: parseSpans(title) };
  lines.unshift(first);
  return item.test(first) ? takeList(lines) : { kind: "paragraph", spans: parseSpans(takeText(lines)) };
}

function takeCode(lines: string[]): Block {
  const end = lines.findIndex((line) => fence.test(line));
  const code = lines.splice(0, end < 0 ? lines.length : end + 1);
  return { kind: "code", text: (end < 0 ? code : code.slice(0, -1)).join("\n") };
}

function takeList(lines: string[]): Block {
  const items: (readonly Span[])[] = [];
  const ordered = item.exec(lines[0] ?? "")?.[1] !== undefined;
  for (let found = item.exec(lines[0] ?? ""); found !== null; found = item.exec(lines[0] ?? "")) {
    lines[0] = found[2] ?? "";
    items.push(parseSpans(takeText(lines)));
  }
  return { kind: "list", ordered, items };
}

/** A paragraph's lines up to the next empty one, heading, item or fence. */
function takeText(lines: string[]): string {
  const taken = [lines.shift() ?? ""];
  const goesOn = (line: string | undefined): line is string =>
    line !== undefined && line.trim() !== "" && ![heading, item, fence].some((other) => other.test(line));
  while (goesOn(lines[0])) taken.push(lines.shift() ?? "");
  return taken.map((line) => line.trim()).join(" ");
}

const spanPattern = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

export function parseSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const found of text.matchAll(spanPattern)) {
    if (found.index > at) spans.push({ kind: "text", text: text.slice(at, found.index) });
    spans.push(spanOf(found));
    at = found.index + found[0].length;
  }
  if (at < text.length) spans.push({ kind: "text", text: text.slice(at) });
  return spans;
}

function spanOf([whole, code, strong, label, href]: RegExpExecArray): Span {
  if (code !== undefined) return { kind: "code", text: code };
  if (strong !== undefined) return { kind: "strong", text: strong };
  if (label !== undefined && href !== undefined) return { kind: "link", text: label, href };
  return { kind: "text", text: whole };
}
