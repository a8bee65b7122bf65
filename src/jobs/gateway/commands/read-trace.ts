// Everything that a trace is made from: the Service, its pool, its backends, and where it is asked for what agents carry.

import { formatRef, refOf } from "../../../apis/kube/kube-object.ts";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { invalid } from "../../../cli/invalid-input.ts";
import { conditionsOf, findCondition } from "../../../core/conditions.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import type { BackendLayer, GatewayPool } from "../apis/gateway-pool.ts";
import type { Service } from "../apis/kube-objects.ts";
import { serviceKind } from "../controller/observe.ts";
import { endpointCheck } from "../core/backends/unusable-endpoint.ts";
import { gatewayDocument } from "../core/document/gateway-document.ts";
import { addressViews } from "../core/picture/address-views.ts";
import { poolView } from "../core/picture/gateway-views.ts";
import { type Surroundings, serviceCondition, serviceViews, surroundings } from "../core/picture/service-views.ts";
import { serviceAsk } from "../core/services/service-ask.ts";
import { serviceStanding } from "../core/services/service-standing.ts";
import { type Route, type Sender, type TracedAddress, traceService } from "../core/trace/trace.ts";
import { type AgentAnswer, answerNotes, askAgents, withAnswers } from "./ask-agents.ts";
import { noSuchService, parseServiceName, readBackends, readPools, readServices } from "./read-services.ts";
import type { WantedPort } from "./show-trace.ts";

export interface TraceAsked {
  readonly named: string;
  readonly namespace: string | undefined;
  readonly asks: boolean;
  readonly from?: Sender;
  readonly port?: WantedPort;
}

export interface TraceResult {
  readonly service: string;
  readonly pool?: string;
  /** Why no packet comes as far as an address. */
  readonly problem?: string;
  readonly routes: readonly Route[];
  readonly notes: readonly string[];
}

export async function readTrace(kube: KubeReader, asked: TraceAsked, ports: CliPorts): Promise<TraceResult> {
  const [service, pools] = await Promise.all([oneService(kube, asked), readPools(kube)]);
  const key = formatRef(refOf(service));
  const standing = serviceStanding(service, pools);
  const pool = standing.kind === "serve" ? pools.find(({ metadata }) => metadata.name === standing.pool) : undefined;
  const nothing = { service: key, routes: [], notes: [] };
  if (pool === undefined)
    return {
      ...nothing,
      problem: standing.kind === "serve" ? "its pool is gone" : `no gateway serves it: ${standing.message}`,
    };
  const { related, notes } = await readBackends(kube, refOf(service));
  const answers = asked.asks ? await askAgents(pool, kube, ports, { document: true }) : [];
  const seen = withAnswers(pool, answers);
  const around = { ...surroundings(seen, [...related, { kind: serviceKind, object: service }]), pools };
  const addresses = tracedAddresses(seen, around);
  const told = { service: key, pool: pool.metadata.name, notes: [...notes, ...answerNotes(answers)] };
  if (addresses.length === 0) return { ...told, routes: [], problem: withoutAddress(service) };
  return { ...told, routes: routesOf(service, seen, { addresses, answers, around }, asked) };
}

async function oneService(kube: KubeReader, { named, namespace }: TraceAsked): Promise<Service> {
  const wanted = parseServiceName(named, namespace);
  const [found, ...more] = await readServices(kube, wanted);
  if (found === undefined) throw await noSuchService(kube, wanted);
  if (more.length === 0) return found;
  const names = [found, ...more].map((one) => formatRef(refOf(one)));
  throw invalid(
    "<service>",
    `"${named}" is the name of several Services`,
    `Write one of ${names.slice(0, 5).join(", ")}.`,
  );
}

function withoutAddress(service: Service): string {
  const condition = findCondition(conditionsOf(service), serviceCondition);
  if (condition?.status === "False") return `it has no address (${condition.reason}): ${condition.message}`;
  return "it has no address yet: its pool gives it one when a gateway can carry it";
}

function tracedAddresses(pool: GatewayPool, around: Surroundings): readonly TracedAddress[] {
  const [view] = serviceViews(pool, addressViews(pool, poolView(pool)), around).filter(
    (one) => one.service !== undefined,
  );
  return (view?.addresses ?? []).map(({ status, shown, group }) => ({
    address: status.address,
    shown,
    ...(group === undefined ? {} : { group }),
  }));
}

interface Seen {
  readonly addresses: readonly TracedAddress[];
  readonly answers: readonly AgentAnswer[];
  readonly around: Surroundings;
}

const afterLayer: Readonly<Record<BackendLayer, string | undefined>> = {
  Pod: undefined,
  NodePort: "kube-proxy of that node chooses a Pod",
  ClusterIP: "kube-proxy of the gateway chooses a Pod",
};

function routesOf(service: Service, pool: GatewayPool, { addresses, answers, around }: Seen, asked: TraceAsked) {
  const { spec = {} } = pool;
  const ask = serviceAsk(service);
  const { port } = asked;
  const wanted = ask.ports.filter(
    (one) => port === undefined || (one.port === port.port && one.protocol === (port.protocol ?? one.protocol)),
  );
  if (wanted.length === 0) {
    const there = ask.ports.map((one) => `${one.port}/${one.protocol}`).join(", ");
    throw invalid("--port", `the Service has no such port`, `It has ${there}.`);
  }
  const { document: expected } = gatewayDocument({
    pool: pool.metadata.name,
    spec,
    epoch: 0,
    services: [
      {
        ask,
        addresses: addresses.map(({ address }) => address),
        leaves: [],
        slices: around.slices.get(ask.claim.service) ?? [],
      },
    ],
    nodes: around.nodes,
    check: endpointCheck({ ofGateways: new Set(), virtual: new Set() }),
  });
  const after = afterLayer[spec.backendLayer ?? "NodePort"];
  return traceService({
    service: ask.claim.service,
    addresses,
    ports: wanted,
    gateways: answers.map(({ gateway, document, status }) => ({
      name: gateway,
      ...(document === undefined ? {} : { document }),
      ...(status === undefined ? {} : { problems: status.problems }),
    })),
    expected,
    ...(asked.from === undefined ? {} : { from: asked.from }),
    ...(after === undefined ? {} : { afterEndpoint: after }),
  });
}
