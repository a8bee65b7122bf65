import { describe, expect, test } from "vitest";
import { secretMarkerIn, secretMarkerOf } from "./secret-marker.ts";
import { spellOut } from "./spell-out.ts";

const secret = secretMarkerOf("token-1/é");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const everyByte = (text: string): string => text.replaceAll(/[^]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);

describe("a secret marker is found", () => {
  test.each([
    ["plain", `Bearer ${secret}`],
    ["in lower case", `https://${secret.toLowerCase()}.example.com`],
    ["in base64", base64(secret)],
    ["in base64 after one character", base64(`:${secret}`)],
    ["in base64 after two characters", base64(`me${secret}`)],
    ["in base64 amid other things", base64(`{"user":"admin","password":"${secret}"}`)],
    ["in base64url", Buffer.from(`>>>?${secret}`).toString("base64url")],
    ["in base64 within base64", base64(`data: ${base64(`x${secret}`)}`)],
    ["in base64 that is broken over lines", base64(`12345${secret}`).replaceAll(/(.{5})/g, "$1\n")],
    ["in base64 that is broken over escaped lines", JSON.stringify(base64(secret).replaceAll(/(.{5})/g, "$1\n  "))],
    ["as part of an address", `https://x/?token=${encodeURIComponent(secret)}`],
    ["percent-encoded to the last character", everyByte(secret)],
    ["percent-encoded twice", encodeURIComponent(everyByte(secret))],
    ["in base64 that is percent-encoded", encodeURIComponent(base64(`??${secret}`))],
    ["in JSON", JSON.stringify({ token: secret })],
    ["escaped in JSON", String.raw`"\u004d\u0041RKED-SECRET-token"`],
    ["escaped in JSON within JSON", JSON.stringify(String.raw`"\u004dARKED-SECRET-token"`)],
    ["as HTML", "&#77;&#65;RKED&#x2d;SECRET-token"],
    ["as hex", Buffer.from(secret).toString("hex").toUpperCase()],
    ["as a buffer that was printed", "<Buffer 4d 41 52 4b 45 44 2d 53 45 43 52 45 54 2d 74>"],
    ["as a buffer in JSON", JSON.stringify(Buffer.from(secret))],
  ])("%s", (_where, text) => {
    expect(secretMarkerIn(text)).toBeDefined();
  });

  test.each([
    ["in the message of an error", new Error(secret)],
    ["in the cause of a cause", new Error("a", { cause: new Error("b", { cause: { token: secret } }) })],
    ["in a cause that is no error", new Error("a", { cause: secret })],
    ["in one of many errors", new AggregateError([new Error("a"), new Error(secret)], "all failed")],
    ["in a stack alone", Object.assign(new Error("a"), { stack: `Error: a\n at ${secret}` })],
    ["in a field of an error", Object.assign(new Error("a"), { request: { headers: [["authorization", secret]] } })],
    ["in a field that is not listed", Object.defineProperty({}, "token", { value: secret })],
    ["under a symbol", { [Symbol("headers")]: secret }],
    ["as a key", { [secret]: 1 }],
    ["in a map", new Map([["a", new Map([[secret, 1]])]])],
    ["in a set", new Set([[secret]])],
    ["in a buffer", { body: Buffer.from(`x${secret}`) }],
    ["in a view of bytes", new DataView(new TextEncoder().encode(secret).buffer)],
    ["in bytes of wide characters", Buffer.from(secret, "utf16le")],
    ["in an address", new URL(`https://me:${secretMarkerOf("x")}@example.com`)],
    ["in headers", new Headers({ authorization: `Basic ${base64(`me:${secret}`)}` })],
  ])("%s", (_where, value) => {
    expect(secretMarkerIn(spellOut(value))).toBeDefined();
  });
});

test("nothing is found where there is none", () => {
  const plain = { error: new Error("refused", { cause: new AggregateError([new Error("again")]) }), at: new Date(0) };
  const around = Object.assign(plain, { itself: plain, bytes: new Uint8Array(64), list: ["marked", "%4d%41%52%4b"] });
  expect(secretMarkerIn(spellOut(around))).toBeUndefined();
  expect(secretMarkerIn(base64("a mark, a secret, and a marked secret".repeat(50)))).toBeUndefined();
});
