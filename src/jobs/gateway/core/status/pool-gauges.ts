// What a pool's status is as numbers, for its controller's metrics. What is sick is marked so that it is named however many pools there are.

import type { GaugeCount } from "../../../../core/job/metric.ts";
import type { GatewayPool } from "../../apis/gateway-pool.ts";
import { gatewayMetrics } from "../model/metrics.ts";
import { type GatewayView, poolView } from "../picture/gateway-views.ts";

export function poolGauges(pool: GatewayPool): readonly GaugeCount[] {
  const { status = {} } = pool;
  const { gateways, groups } = poolView(pool);
  const services = (state: string, count: number): GaugeCount => ({
    metric: gatewayMetrics.services.name,
    labels: { state },
    count,
  });
  return [
    services("served", status.services?.served ?? 0),
    services("refused", status.services?.refused ?? 0),
    { metric: gatewayMetrics.addresses.name, labels: {}, count: status.addresses?.inUse ?? 0 },
    ...gateways.flatMap((gateway): readonly GaugeCount[] => [
      {
        metric: gatewayMetrics.gateways.name,
        labels: { gateway: gateway.name, state: stateWord(gateway) },
        count: 1,
        sick: gateway.state === "silent" || gateway.state === "unready",
      },
      ...lagCount(gateway, status.version?.generation ?? 0),
    ]),
    ...[...groups.values()].map(({ name, standing }) => ({
      metric: gatewayMetrics.groups.name,
      labels: { group: name, standing },
      count: 1,
      sick: standing === "unled" || standing === "split",
    })),
  ];
}

function stateWord({ state }: GatewayView): string {
  return state === "ready" || state === "unready" ? state : "unreachable";
}

/** Of a gateway that has not answered nobody knows it: it has no sample. */
function lagCount({ name, lag }: GatewayView, generation: number): readonly GaugeCount[] {
  if (lag.kind === "unknown") return [];
  const count = lag.kind === "behind" ? lag.changes : lag.kind === "current" ? 0 : Math.max(1, generation);
  return [{ metric: gatewayMetrics.lag.name, labels: { gateway: name }, count }];
}
