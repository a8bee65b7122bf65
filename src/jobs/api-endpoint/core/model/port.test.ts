import { describe, expect, test } from "vitest";
import { intent, tcpPorts } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { portsOf } from "./intent.ts";
import { isOn, isSpokenOn, portSuffix, portsBeside, splitPortName, tcpPort } from "./port.ts";

const api = tcpPort(6443);

describe("a listener", () => {
  test.each(["TCP", "HTTP", "HTTPS", "TERMINATED_HTTPS", "PROMETHEUS"])(
    "of %s stands on the port of its number",
    (protocol) => {
      expect(isOn({ port: 6443, protocol }, api)).toBe(true);
      expect(isOn({ port: 6444, protocol }, api)).toBe(false);
    },
  );

  test.each(["UDP", "SCTP"])("of %s stands beside it", (protocol) => {
    expect(isOn({ port: 6443, protocol }, api)).toBe(false);
  });

  test("speaks what is wanted on a port only when it is the same word", () => {
    expect(["TCP", "HTTP", "PROXY", "UDP"].map((protocol) => isSpokenOn({ protocol }, api))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

test("ports beside another come once, without it, by number", () => {
  expect(portsBeside(api, [9345, 6443, 22, 9345].map(tcpPort))).toEqual([tcpPort(22), tcpPort(9345)]);
});

test("the ports of an intent are served in one order, however they are written", () => {
  const served = (...ports: readonly number[]) => portsOf(intent({ additionalPorts: tcpPorts(...ports) }));
  expect(served(9345, 8132)).toEqual(tcpPorts(6443, 8132, 9345));
  expect(served(8132, 9345)).toEqual(tcpPorts(6443, 8132, 9345));
});

test("a name tells the port that it ends with", () => {
  expect(splitPortName(`kubeapi-${portSuffix(api)}`)).toEqual({ before: "kubeapi", port: api });
  expect(splitPortName("kubeapi")).toBeUndefined();
  expect(splitPortName("kubeapi-123456")).toBeUndefined();
});
