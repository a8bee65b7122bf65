import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hmacTokens } from "./hmac-tokens.ts";

const all = ["HS256", "HS384", "HS512"] as const;
// RFC 7515, appendix A.1.
const key = Buffer.from(
  "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
  "base64url",
);
const published =
  "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

describe("signed tokens", () => {
  test("the standard's own example is read", () => {
    expect(hmacTokens.verify(published, key, all)).toMatchObject({ iss: "joe", exp: 1_300_819_380 });
  });

  test("what one side signs, the other reads, with the same key and algorithm alone", () => {
    for (const algorithm of all) {
      const token = hmacTokens.sign({ a: 1 }, key, algorithm);
      expect(hmacTokens.verify(token, key, [algorithm])).toEqual({ a: 1 });
      expect(
        hmacTokens.verify(
          token,
          key,
          all.filter((one) => one !== algorithm),
        ),
      ).toBeUndefined();
      expect(hmacTokens.verify(token, Buffer.from("another key"), all)).toBeUndefined();
    }
  });

  test("a token that claims to need no signature is none, and neither is any text that was changed", () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    expect(hmacTokens.verify(`${part({ alg: "none" })}.${part({ a: 1 })}.`, key, all)).toBeUndefined();
    expect(hmacTokens.verify(`${part({ alg: "none" })}.${part({ a: 1 })}.AAAA`, key, all)).toBeUndefined();
    fc.assert(
      fc.property(fc.nat(published.length - 1), fc.constantFrom("A", "b", "0", ".", "!"), (at, char) => {
        const changed = `${published.slice(0, at)}${char}${published.slice(at + 1)}`;
        // The last character holds two bits that mean nothing.
        if (changed === published || at === published.length - 1) return;
        expect(hmacTokens.verify(changed, key, all)).toBeUndefined();
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => hmacTokens.verify(text, key, all) === undefined));
  });

  test("a digest is SHA-256 in base64url", () => {
    expect(hmacTokens.digest(new Uint8Array())).toBe("47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
  });
});
