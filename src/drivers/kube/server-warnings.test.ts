import { describe, expect, it } from "vitest";
import type { Log, LogData } from "../../ports/log.ts";
import { warningListener, warningTexts } from "./server-warnings.ts";

const subject = { verb: "create", resource: "services", name: "shop/web" };

function recordingLog(lines: LogData[]): Log {
  const ignore = () => {};
  return {
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (_, data = {}) => lines.push(data),
    with: () => recordingLog(lines),
  };
}

describe("warnings of the API server", () => {
  it("are read from a header that holds several", () => {
    const header = '299 - "v1beta1 is deprecated", 299 - "unknown field \\"spec.x\\""';
    expect(warningTexts(header)).toEqual(["v1beta1 is deprecated", 'unknown field "spec.x"']);
  });

  it("are logged once, with the request that met them", () => {
    const lines: LogData[] = [];
    const listen = warningListener(recordingLog(lines));
    for (let times = 0; times < 3; times += 1) listen(subject, { warning: '299 - "old"' });
    listen(subject, {});
    expect(lines).toEqual([{ warning: "old", ...subject }]);
  });
});
