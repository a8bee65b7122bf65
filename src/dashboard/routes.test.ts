import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatView, healths, logResults, parseView, type View } from "./routes.ts";

const read = (address: string): View => {
  const { pathname, search } = new URL(address, "http://dashboard.test");
  return parseView(pathname, search);
};

const word = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }).filter((text) => !/^\.{1,2}$/.test(text));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const without = <T extends object>(record: T) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

const views: fc.Arbitrary<View> = fc.oneof(
  fc
    .record({ health: optional(fc.constantFrom(...healths)), text: optional(word) })
    .map((filter): View => ({ page: "overview", filter: without(filter) })),
  fc
    .record({ resource: word, namespace: optional(word), name: word })
    .map((object) => ({ page: "object", object: without(object) }) as View),
  fc
    .record({
      result: optional(fc.constantFrom(...logResults)),
      controller: optional(word),
      because: optional(word),
      object: optional(word),
      text: optional(word),
    })
    .map((filter): View => ({ page: "plan-log", filter: without(filter) })),
  fc.constantFrom<View>(
    { page: "manager" },
    { page: "faults" },
    { page: "runbooks" },
    { page: "runbooks", text: "zone dark & more" },
  ),
  word.map((reason): View => ({ page: "runbook", reason })),
);

describe("the address of a view", () => {
  test("leads back to the same view, filters included", () => {
    fc.assert(
      fc.property(views, (view) => {
        expect(read(formatView(view))).toEqual(view);
      }),
    );
  });

  test("names an object as the API does", () => {
    expect(read("/objects/infrastructures.config.openshift.io/cluster")).toEqual({
      page: "object",
      object: { resource: "infrastructures.config.openshift.io", name: "cluster" },
    });
    expect(read("/objects/services/edge/web")).toEqual({
      page: "object",
      object: { resource: "services", namespace: "edge", name: "web" },
    });
  });

  test("uses the words of the pages", () => {
    expect(formatView({ page: "overview", filter: { health: "progressing" } })).toBe("/?health=in-progress");
  });

  test("forgets a filter nobody knows, and keeps the rest", () => {
    expect(read("/plan-log?result=maybe&q=dns&color=red")).toEqual({ page: "plan-log", filter: { text: "dns" } });
    expect(read("/?health=fine")).toEqual({ page: "overview", filter: {} });
  });

  test.each(["/nowhere", "/objects", "/objects/a/b/c/d", "/manager/x", "/objects/%E0%A4%A/x"])(
    "is lost, and says so, at %s",
    (path) => expect(read(path)).toEqual({ page: "lost", path }),
  );
});
