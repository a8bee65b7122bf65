import fc from "fast-check";
import { expect, test } from "vitest";
import { fitsNote } from "./event-object.ts";
import { overflowNote } from "./event-overflow.ts";

test("a note for many Events lists whole texts, says how many it leaves out, and fits", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 200 }), { minLength: 2, maxLength: 20 }),
      fc.nat(100),
      (texts, more) => {
        const count = texts.length + more;
        const note = overflowNote(count, texts);
        expect(fitsNote(note)).toBe(true);
        expect(note.startsWith(`${count} at once: ${texts[0]}`)).toBe(true);
        const shown = texts.findIndex((_, index) => note === listed(count, texts.slice(0, index + 1)));
        expect(shown).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});

function listed(count: number, texts: readonly string[]): string {
  const left = count - texts.length;
  return `${count} at once: ${texts.join("; ")}${left === 0 ? "" : `; and ${left} more`}`;
}
