import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
const colours = new Map(
  [...css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }],
  ),
);

/** As WCAG 2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const texts = ["ink", "ink-soft", "accent", "good", "wait", "bad", "unknown"];
const grounds = ["ground", "surface", "sunken"];
const notes = ["good", "wait", "bad", "unknown"].flatMap((tone) =>
  ["ink", "accent", tone].map((text) => [text, `${tone}-soft`] as const),
);
const pairs = [...texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)), ...notes];

describe("text can be read on its ground, in light and in dark", () => {
  test.each(pairs)("%s on %s", (text, ground) => {
    for (const theme of ["light", "dark"] as const) {
      expect(contrast(colours.get(text)?.[theme] ?? "", colours.get(ground)?.[theme] ?? "")).toBeGreaterThanOrEqual(
        4.5,
      );
    }
  });
});
