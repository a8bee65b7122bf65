import { describe, expect, it } from "vitest";
import { environmentProxy } from "./proxy-environment.ts";

const proxy = "http://proxy.example:3128";
const via = (server: string, noProxy = "") => environmentProxy(server, { HTTPS_PROXY: proxy, NO_PROXY: noProxy });

describe("the proxy of the environment", () => {
  it.each([
    ["without a variable", {}, undefined],
    ["in capitals", { HTTPS_PROXY: proxy }, proxy],
    ["in small letters", { https_proxy: proxy }, proxy],
    ["without a scheme", { HTTPS_PROXY: "proxy.example:3128" }, proxy],
    ["for the other protocol", { HTTP_PROXY: proxy }, undefined],
    ["empty", { HTTPS_PROXY: "" }, undefined],
  ])("is read %s", (_, environment, expected) => {
    expect(environmentProxy("https://api.example:6443", environment)).toBe(expected);
  });

  it.each([
    ["https://localhost:6443", ""],
    ["https://127.0.0.1:6443", ""],
    ["https://[::1]:6443", ""],
    ["https://api.example:6443", "*"],
    ["https://api.example:6443", "other, api.example"],
    ["https://api.example:6443", "example"],
    ["https://api.example:6443", ".example"],
    ["https://API.Example:6443", "api.EXAMPLE"],
    ["https://api.example:6443", "api.example:6443"],
    ["https://10.0.3.4:6443", "10.0.0.0/16"],
    ["https://10.0.3.4:6443", "10.0.3.4"],
    ["https://[fd00::7]:6443", "fd00::/64"],
    ["https://[fd00::7]:6443", "[fd00::7]:6443"],
  ])("is passed by for %s with NO_PROXY=%s", (server, noProxy) => {
    expect(via(server, noProxy)).toBeUndefined();
  });

  it.each([
    ["https://api.example:6443", "api.example:443"],
    ["https://example:6443", ".example"],
    ["https://notexample:6443", "example"],
    ["https://10.1.3.4:6443", "10.0.0.0/16"],
    ["https://10.0.3.4:6443", "fd00::/64"],
    ["https://10.0.3.4:6443", "10.0.0.0/99"],
    ["https://api.example:6443", "10.0.0.0/8, , nonsense/x"],
  ])("is used for %s with NO_PROXY=%s", (server, noProxy) => {
    expect(via(server, noProxy)).toBe(proxy);
  });

  it("refuses a kind of proxy it cannot use, without quoting the address", () => {
    const read = () => environmentProxy("https://api.example", { HTTPS_PROXY: "socks4://jane:pw12@proxy" });
    expect(read).toThrow("HTTPS_PROXY: only http, https and socks5 proxies are supported, not socks4");
  });
});
