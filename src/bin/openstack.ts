// Clouds over real connections. Wiring only.

import { openStackClient } from "../drivers/openstack/openstack-client.ts";
import { undiciTransport } from "../drivers/openstack/undici-transport.ts";
import { systemClock } from "../drivers/system/system-clock.ts";
import { systemRandom } from "../drivers/system/system-random.ts";
import type { Metrics } from "../engine/report/metrics.ts";
import type { OpenStack } from "../ports/openstack.ts";

export interface OpenStackConnections {
  readonly openStack: OpenStack;
  close(): Promise<void>;
}

export function connectOpenStack(version: string, metrics?: Metrics): OpenStackConnections {
  const transport = undiciTransport({ environment: process.env });
  const openStack = openStackClient({
    transport,
    clock: systemClock,
    random: systemRandom,
    userAgent: `mainstay/${version}`,
    ...(metrics === undefined ? {} : { meter: { onCall: record(metrics) } }),
  });
  return { openStack, close: () => transport.close() };
}

function record({ cloudRequests, cloudRequestSeconds }: Metrics) {
  return (call: {
    readonly service: string;
    readonly operation: string;
    readonly status: string;
    readonly durationMs: number;
  }): void => {
    const { service, operation, status, durationMs } = call;
    cloudRequests.inc({ service, operation, code: status });
    cloudRequestSeconds.observe({ service, operation }, durationMs / 1_000);
  };
}
