import { describe, expect, test } from "vitest";
import { checkHost, checkOrigin, type RequestHeaders } from "./request-checks.ts";

const refused = (check: () => void): string | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
};

describe("the host", () => {
  const host = (name: string | undefined, ...known: readonly string[]) =>
    refused(() => checkHost({ host: name }, known));

  test.each(["localhost", "LOCALHOST:8081", "127.0.0.1", "10.1.2.3:80", "[::1]:8081", "[fe80::1]"])(
    "is ours at %s",
    (name) => expect(host(name)).toBeUndefined(),
  );

  test.each([
    undefined,
    "",
    "evil.example.com",
    "localhost.evil.com",
    "127.0.0.1.evil.com",
    "1.2.3.4.5",
    "::1",
    "localhost:80:80",
  ])("is not ours at %s", (name) => expect(host(name, "mainstay.example.org")).toBe("wrong-host"));

  test("may be a configured name, in any case and on any port", () => {
    expect(host("Mainstay.Example.org:443", "mainstay.example.org")).toBeUndefined();
    expect(host("mainstay.example.org", "MAINSTAY.example.org")).toBeUndefined();
    expect(host("mainstay.example.org")).toBe("wrong-host");
  });
});

describe("the origin", () => {
  const asked = (headers: RequestHeaders) => refused(() => checkOrigin({ host: "127.0.0.1:8081", ...headers }));

  test("of a program is none, and of our own page is ours", () => {
    expect(asked({})).toBeUndefined();
    for (const site of ["same-origin", "none"]) expect(asked({ "sec-fetch-site": site })).toBeUndefined();
    expect(asked({ origin: "http://127.0.0.1:8081" })).toBeUndefined();
    // Behind something that speaks TLS.
    expect(asked({ origin: "https://127.0.0.1:8081" })).toBeUndefined();
    expect(refused(() => checkOrigin({ host: "Mainstay.test", origin: "http://mainstay.test" }))).toBeUndefined();
  });

  test("of another site is refused, and so is another port or name of the same site", () => {
    expect(asked({ "sec-fetch-site": "cross-site" })).toBe("foreign-origin");
    expect(asked({ "sec-fetch-site": "same-site" })).toBe("foreign-origin");
    expect(asked({ origin: "http://127.0.0.1:9999" })).toBe("foreign-origin");
    expect(asked({ origin: "http://evil.example.com" })).toBe("foreign-origin");
  });

  test.each(["null", "", "127.0.0.1:8081", "ftp://127.0.0.1:8081", "chrome-extension://127.0.0.1:8081"])(
    "%j is no origin of ours",
    (origin) => expect(asked({ origin })).toBe("foreign-origin"),
  );
});
