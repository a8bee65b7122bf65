// Conversions between times and other types that the language has and the CEL package lacks.

import type { Environment } from "@marcbachmann/cel-js";

const timestamp = "google.protobuf.Timestamp";
const duration = "google.protobuf.Duration";

export function registerTimes(env: Environment): void {
  env.registerFunction(`string(${timestamp}): string`, (time: Date) => time.toISOString().replace(/\.?0*Z$/, "Z"));
  env.registerFunction(`string(${duration}): string`, String);
  env.registerFunction(`int(${timestamp}): int`, (time: Date) => BigInt(Math.floor(time.getTime() / 1000)));
  env.registerFunction(`timestamp(${timestamp}): ${timestamp}`, (time: Date) => time);
  env.registerFunction(`duration(${duration}): ${duration}`, (span: unknown) => span);
}
