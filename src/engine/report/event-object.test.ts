import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { explain } from "../../core/explain.ts";
import { present } from "../../core/present.ts";
import { cutNote, eventName, eventObject, seriesKey, slimEvent } from "./event-object.ts";

const reporter = { controller: "mainstay.dev/specimen", instance: "host_1" };
const about = (name: string, namespace?: string): KubeObject => ({
  apiVersion: "mainstay.dev/v1",
  kind: "Specimen",
  metadata: { name, uid: `uid-${name}`, ...present({ namespace }) },
});

describe("an event", () => {
  test("takes reason, type and note from one explanation", () => {
    const event = {
      regarding: about("one", "a"),
      explanation: explain("PermissionDenied", "one: forbidden"),
      action: "create-child",
    };
    expect(eventObject(event, reporter, "one.1", Date.UTC(2026, 0, 1))).toMatchObject({
      metadata: { name: "one.1", namespace: "a" },
      type: "Warning",
      reason: "PermissionDenied",
      message: "one: forbidden",
      action: "create-child",
      eventTime: "2026-01-01T00:00:00.000000Z",
      firstTimestamp: "2026-01-01T00:00:00Z",
      lastTimestamp: "2026-01-01T00:00:00Z",
      involvedObject: { kind: "Specimen", name: "one", namespace: "a", uid: "uid-one" },
    });
  });

  test("is the same from all of an object and from the little that is remembered of it", () => {
    const large = { ...about("one", "a"), spec: { password: "hidden" } };
    const event = { regarding: large, explanation: explain("DryRun", "one"), action: "plan" };
    expect(eventObject(slimEvent(event), reporter, "n", 0)).toEqual(eventObject(event, reporter, "n", 0));
    expect(seriesKey(slimEvent(event), reporter)).toBe(seriesKey(event, reporter));
    expect(JSON.stringify(slimEvent(event))).not.toContain("hidden");
  });

  test("about a cluster-scoped object is kept in the default namespace", () => {
    const event = { regarding: about("cluster"), explanation: explain("DryRun"), action: "plan" };
    expect(eventObject(event, reporter, "n", 0).metadata.namespace).toBe("default");
  });

  test("belongs to the same series when only numbers in the note differ", () => {
    const key = (message: string, name = "one"): string =>
      seriesKey({ regarding: about(name, "a"), explanation: explain("ApiTimeout", message), action: "x" }, reporter);
    expect(key("no answer for 5 s")).toBe(key("no answer for 17 s"));
    expect(key("no answer in az1")).not.toBe(key("no answer in az2"));
    expect(key("attached 10.0.0.7")).not.toBe(key("attached 10.0.0.8"));
    expect(key("no answer")).not.toBe(key("no answer", "two"));
    expect(key("no answer")).not.toBe(key("another text"));
  });

  test("has a note of at most 1024 bytes and never half a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 2_000 }), (text) => {
        const note = cutNote(text);
        expect(new TextEncoder().encode(note).length).toBeLessThanOrEqual(1_024);
        expect(note.endsWith("…") ? text.startsWith(note.slice(0, -1)) : note === text).toBe(true);
        expect(note).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
      }),
    );
  });

  test("has a name the API server takes, however long its object's is", () => {
    const name = eventName(about(`${"a".repeat(236)}.${"b".repeat(16)}`), "0f8fad5b-d9cb-469f-a165-70867728950e");
    expect(name.length).toBeLessThanOrEqual(253);
    expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
  });
});
