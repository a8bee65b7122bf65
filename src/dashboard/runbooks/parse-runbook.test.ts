import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseRunbook, parseSpans } from "./parse-runbook.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "docs", "operations");

describe("a runbook page", () => {
  test("becomes headings, paragraphs, commands and steps", () => {
    expect(
      parseRunbook(
        "# Name\n\nOne\nline.\n\n```sh\nkubectl get x   # why\n\nmore\n```\n1. First `a`.\n2. Second\n   goes on.\n- other",
      ),
    ).toEqual([
      { kind: "heading", level: 1, spans: [{ kind: "text", text: "Name" }] },
      { kind: "paragraph", spans: [{ kind: "text", text: "One line." }] },
      { kind: "code", text: "kubectl get x   # why\n\nmore" },
      {
        kind: "list",
        ordered: true,
        items: [
          [
            { kind: "text", text: "First " },
            { kind: "code", text: "a" },
            { kind: "text", text: "." },
          ],
          [{ kind: "text", text: "Second goes on." }],
          [{ kind: "text", text: "other" }],
        ],
      },
    ]);
  });

  test("keeps links, code and emphasis apart from text", () => {
    expect(parseSpans("see [the page](Other.md#x) and **do** `it`")).toEqual([
      { kind: "text", text: "see " },
      { kind: "link", text: "the page", href: "Other.md#x" },
      { kind: "text", text: " and " },
      { kind: "strong", text: "do" },
      { kind: "text", text: " " },
      { kind: "code", text: "it" },
    ]);
  });

  test("an unclosed fence swallows the rest and nothing else", () => {
    expect(parseRunbook("a\n\n```\nb")).toEqual([
      { kind: "paragraph", spans: [{ kind: "text", text: "a" }] },
      { kind: "code", text: "b" },
    ]);
  });

  test("is read to its last word, for every page there is", () => {
    const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));
    expect(pages.length).toBeGreaterThan(30);
    for (const page of pages) {
      const text = readFileSync(join(folder, page), "utf8");
      const blocks = parseRunbook(text);
      const shown = JSON.stringify(blocks);
      expect(blocks[0]).toMatchObject({ kind: "heading", level: 1 });
      const lastWord =
        text
          .trim()
          .split(/[\s"`]+/)
          .findLast((word) => /^\w+/.test(word)) ?? "";
      expect(shown).toContain(lastWord.replace(/\W+$/, ""));
      // A table would come out as a paragraph of bars; pages have none, and one that gains one needs a block for it.
      expect(text).not.toMatch(/^\|/m);
    }
  });
});
