// mainstay dns records: the addresses that a cluster's DNS name should have now. Standard output holds the records alone; what is left
// out, and why, goes to standard error. Reads only: the memory that damps flapping is the object's status, and stays as it is.

import { formatRef, type KubeObject, refOf } from "../../../apis/kube/kube-object.ts";
import { isDnsName, withoutClosingDot } from "../../../apis/text/dns-name.ts";
import type { CliPorts, ConnectOptions } from "../../../cli/cli-ports.ts";
import { withConnection } from "../../../cli/connection-options.ts";
import { exitCodes } from "../../../cli/exit-codes.ts";
import { withProgress } from "../../../cli/progress.ts";
import { MainstayError } from "../../../core/errors.ts";
import type { Unknown } from "../../../core/known.ts";
import { ownerIdAnnotation, removeLegacyAnnotation } from "../apis/annotations.ts";
import { type ExplainedRecords, explainRecords } from "../core/dns/explain-records.ts";
import type { EndpointObserved } from "../core/model/observed.ts";
import { publicAddress } from "../core/situation/public-address.ts";
import { situationOf } from "../core/situation/situation.ts";
import { parseClusterName } from "./cluster-name.ts";
import { frontDoorOf, objectOf } from "./front-door-of.ts";
import { observeEndpointOnce } from "./observe-endpoint-once.ts";
import { readCluster } from "./read-cluster.ts";
import { recordsAs } from "./records-as.ts";
import type { RecordsFormat } from "./records-formats.ts";

export interface DnsFlags extends ConnectOptions {
  readonly output: RecordsFormat;
  readonly namespace?: string;
}

export async function printDnsRecords(cluster: string, flags: DnsFlags, ports: CliPorts): Promise<number> {
  const ref = parseClusterName(cluster, flags.namespace);
  const { terminal } = ports;
  const { object, observed } = await withConnection(ports, flags, async ({ kube }) => {
    const observe = async () => {
      const objects = await readCluster(kube, ref);
      const found = objectOf(objects);
      // Which objects are a manager's own is its configuration's business; the records are the same.
      const door = frontDoorOf(found, "all");
      return {
        object: found,
        observed: await observeEndpointOnce({ door, object: found, cluster: objects.facts, kube, ports }),
      };
    };
    return await withProgress("looking at the cluster and its cloud", ports, observe());
  });
  const host = hostOf(object, observed);
  const unobserved = unobservedPart(observed);
  if (unobserved !== undefined) {
    terminal.err(`error: ${object.kind} ${formatRef(refOf(object))}: ${unobserved.message}`);
    terminal.err("hint: Nothing is printed, for nobody knows who is healthy; leave the records as they are.");
    return exitCodes.cluster;
  }
  const records = recordsNow(observed, ports.clock.nowMs());
  for (const line of remarks(records)) terminal.err(line);
  if (records.addresses.length === 0) throw noAddress(object, observed);
  terminal.out(recordsAs(flags.output, { host, object: refOf(object), records }));
  if (!records.zones.some(({ isGuess }) => isGuess)) return exitCodes.ok;
  terminal.err("error: a zone could not be seen, so the records may lack it; do not publish them");
  return exitCodes.cluster;
}

function noAddress(object: KubeObject, { intent }: EndpointObserved): MainstayError {
  const name = formatRef(refOf(object));
  const said = (message: string, hint: string) =>
    new MainstayError({ reason: "EndpointNotReady", message: `${object.kind} ${name}: ${message}`, hint });
  return intent.mode === "none"
    ? said(
        "it asks for no balancers, and has none that is kept",
        "Enable apiServerLoadBalancer, or publish the address where the API is reached without one.",
      )
    : said(
        "no balancer has an address yet",
        `mainstay explain ${object.kind.toLowerCase()}/${name} says what it waits for.`,
      );
}

/** Throws when there is no name to make records for. */
function hostOf(object: KubeObject, { intent }: EndpointObserved): string {
  const who = `${object.kind} ${formatRef(refOf(object))}`;
  const host = withoutClosingDot(intent.endpoint?.host ?? "");
  const refuse = (message: string, hint: string) =>
    new MainstayError({ reason: "EndpointNotReady", message: `${who}: ${message}`, hint });
  if (object.metadata.annotations?.[ownerIdAnnotation] === undefined)
    throw refuse("Mainstay does not manage it yet", "Run the controller, and see mainstay doctor.");
  if (intent.deleting)
    throw refuse("it is being deleted", "Leave its records as they are until its machines are gone, then remove them.");
  if (!isDnsName(host))
    throw refuse(
      host === "" ? "it has no endpoint" : `its endpoint ${host} is no DNS name`,
      "Records are made for endpoints that are DNS names.",
    );
  return host;
}

function unobservedPart({ balancers, floatingIps, intent }: EndpointObserved): Unknown | undefined {
  if (!balancers.known) return balancers;
  return floatingIps.known || !intent.floatingIp.enabled ? undefined : floatingIps;
}

interface RecordsNow extends ExplainedRecords {
  /** Balancers are switched off: what there is still is kept. */
  readonly isKept: boolean;
  /** Address of a legacy balancer that still serves as a fall-back. */
  readonly fallback: string | undefined;
}

function recordsNow(observed: EndpointObserved, nowMs: number): RecordsNow {
  const balancers = observed.balancers.known ? observed.balancers.value : [];
  const situation = situationOf(observed, balancers, observed.intent.ownerId ?? "", nowMs);
  const kept = situation.assignment.wanted.find(({ role }) => role === "fallback");
  const isKept = observed.intent.mode === "none";
  return {
    ...explainRecords(situation),
    isKept,
    fallback: publicAddress(observed, kept?.seen).address,
  };
}

function remarks({ zones, fallback, standIns, isKept }: RecordsNow): readonly string[] {
  const why = isKept
    ? `balancers are switched off, and its balancer is kept because it is the last way in; it goes with ${removeLegacyAnnotation}=true`
    : "its balancer is to go, but serves while no other does";
  return [
    ...zones.flatMap(({ zone, addresses, why }) =>
      why === undefined
        ? []
        : [`${zone === "" ? "the balancer" : `zone ${zone}`} is ${addresses.length === 0 ? "left out" : "in"}: ${why}`],
    ),
    ...standIns.map((address) => `${address} is in: ${why}`),
    ...(fallback === undefined || standIns.includes(fallback)
      ? []
      : [`the legacy balancer ${fallback} still serves as a fall-back; it is not among these records`]),
  ];
}
