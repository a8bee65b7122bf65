// The rows of `mainstay services`, from the objects of the API server alone.

import type { CliPorts, ConnectOptions } from "../../../cli/cli-ports.ts";
import { withConnection } from "../../../cli/connection-options.ts";
import { exitCodes } from "../../../cli/exit-codes.ts";
import { invalid } from "../../../cli/invalid-input.ts";
import type { OutputFormat } from "../../../cli/output-option.ts";
import { printAs, table } from "../../../cli/print.ts";
import { withProgress } from "../../../cli/progress.ts";
import { healthWord } from "../../../cli/status/health-word.ts";
import { present } from "../../../core/present.ts";
import type { Health } from "../../../core/views/object-view.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import type { GatewayPool } from "../apis/gateway-pool.ts";
import type { Service } from "../apis/kube-objects.ts";
import { serviceKind } from "../controller/observe.ts";
import { addressViews } from "../core/picture/address-views.ts";
import { poolView } from "../core/picture/gateway-views.ts";
import { keyOf, type ServiceView, serviceViews, surroundings } from "../core/picture/service-views.ts";
import { sickFirst } from "../core/picture/sick-first.ts";
import { serviceStanding } from "../core/services/service-standing.ts";
import {
  noSuchService,
  parseServiceName,
  readBackends,
  readPools,
  readServices,
  type ServiceName,
} from "./read-services.ts";

export interface ServicesFlags extends ConnectOptions {
  readonly output: OutputFormat;
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
}

interface ServiceRow {
  readonly service: string;
  readonly health: Health;
  /** How it is, in a few words. */
  readonly words: string;
  readonly reason?: string;
  readonly message?: string;
  /** Absent: no pool serves it. */
  readonly pool?: string;
  readonly addresses: readonly {
    /** What clients use. */
    readonly address: string;
    readonly group?: string;
    /** Who carries it; several only where something is wrong. */
    readonly gateways: readonly string[];
    readonly since?: string;
  }[];
  readonly ports: readonly string[];
  /** Absent: not known. */
  readonly backends?: number;
}

export async function showServices(named: string | undefined, flags: ServicesFlags, ports: CliPorts): Promise<number> {
  if (flags.namespace !== undefined && flags.allNamespaces === true)
    throw invalid("--namespace, --all-namespaces", "both are set", "Keep one of them.");
  const wanted = parseServiceName(named, flags.namespace);
  const { rows, notes } = await withConnection(ports, flags, ({ kube }) =>
    withProgress("reading the cluster", ports, readRows(kube, wanted)),
  );
  for (const note of new Set(notes)) ports.terminal.err(`note: ${note}`);
  printAs(flags.output, { services: rows }, () => text(rows, ports.terminal.colours), ports.terminal);
  return exitCodes.ok;
}

async function readRows(kube: KubeReader, wanted: ServiceName) {
  const [pools, services] = await Promise.all([readPools(kube), readServices(kube, wanted)]);
  const own = services.filter(
    ({ spec, metadata }) => spec?.type === "LoadBalancer" || metadata.deletionTimestamp !== undefined,
  );
  if (wanted.name !== undefined && own.length === 0) throw await noSuchService(kube, wanted);
  const { related, notes } = own.length === 0 ? { related: [], notes: [] } : await readBackends(kube, wanted);
  const things = [...related, ...own.map((object) => ({ kind: serviceKind, object }))];
  const names = new Set(own.map(keyOf));
  const served = pools.flatMap((pool) => {
    const around = { ...surroundings(pool, things), pools };
    const views = serviceViews(pool, addressViews(pool, poolView(pool)), around);
    return views.filter(({ key }) => names.has(key)).map((view) => rowOf(view, pool));
  });
  const known = new Set(served.map(({ service }) => service));
  const others = own.filter((service) => !known.has(keyOf(service))).map((service) => unserved(service, pools));
  return { rows: [...served, ...others].toSorted(sickFirst(({ service }) => service)), notes };
}

function rowOf(view: ServiceView, pool: GatewayPool): ServiceRow {
  const { key, health, word, note, message, ports, endpoints } = view;
  return {
    service: key,
    health,
    words: word,
    ...present({ reason: note, message }),
    pool: pool.metadata.name,
    addresses: view.addresses.map(({ shown, group }) => ({
      address: shown,
      ...(group === undefined ? {} : { group: group.name }),
      gateways: group?.standing === "unknown" ? [] : (group?.by ?? []),
      ...present({ since: group?.since }),
    })),
    ports,
    ...present({ backends: endpoints?.used.length }),
  };
}

/** Somebody else's, or nobody's. */
function unserved(service: Service, pools: readonly GatewayPool[]): ServiceRow {
  const standing = serviceStanding(service, pools);
  const words = standing.kind === "serve" ? "its pool has not looked at it yet" : standing.message;
  const isOurs = standing.kind === "serve" || standing.why === "SeveralPools" || standing.why === "NoPoolForClass";
  const hasClass = service.spec?.loadBalancerClass !== undefined;
  return {
    service: keyOf(service),
    health: standing.kind === "serve" ? "progressing" : isOurs && !hasClass ? "refused" : "healthy",
    words,
    addresses: (service.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) =>
      ip ? [{ address: ip, gateways: [] }] : [],
    ),
    ports: (service.spec?.ports ?? []).map(({ port, protocol = "TCP" }) => `${port}/${protocol}`),
  };
}

function text(rows: readonly ServiceRow[], inColour: boolean): string {
  if (rows.length === 0) return "There is no Service of type LoadBalancer here.";
  const lines = rows.map((row) => [
    row.service,
    healthWord(row.health, inColour),
    row.pool ?? "-",
    listed(row.addresses.map(({ address }) => address)),
    listed(row.ports),
    row.backends === undefined ? "?" : String(row.backends),
    listed([...new Set(row.addresses.flatMap(({ gateways }) => gateways))]),
    row.addresses.find(({ since }) => since !== undefined)?.since ?? "-",
    row.reason === undefined ? row.words : `${row.words}: ${row.reason}`,
  ]);
  return table([
    ["SERVICE", "HEALTH", "POOL", "ADDRESS", "PORTS", "BACKENDS", "GATEWAY", "SINCE", "IN WORDS"],
    ...lines,
  ]);
}

function listed(values: readonly string[]): string {
  return values.length === 0 ? "-" : values.join(",");
}
