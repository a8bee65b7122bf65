// The metrics of a gateway's agent, at `/metrics` of the agent. Names of Services stand in one label, for so many Services and no more.

import { counter, gauge, histogram } from "../../../../core/job/metric.ts";

/** Further Services are counted together, as `(other)`. The first by name, so that a Service does not change its place with its traffic. */
export const mostNamedServices = 500;
export const otherServices = "(other)";

export const agentMetrics = {
  ready: gauge("mainstay_gateway_ready", "1 while the rules are in the kernel and the gateway may lead.", []),
  epoch: gauge("mainstay_gateway_document_epoch", "Epoch of the document that is carried.", []),
  generation: gauge("mainstay_gateway_document_generation", "Generation of the document that is carried.", []),
  problems: gauge(
    "mainstay_gateway_problems",
    "Parts of the document that are not carried as asked, and troubles of the gateway itself.",
    [],
  ),
  keepalived: gauge("mainstay_gateway_keepalived_running", "1 while keepalived runs.", []),
  role: gauge("mainstay_gateway_group_role", "1 for the role that a group of addresses has here.", ["group", "role"]),
  roleChanges: counter("mainstay_gateway_role_changes_total", "Changes of roles that were seen.", []),
  documents: counter("mainstay_gateway_documents_total", "Documents by what became of them.", ["outcome"]),
  reloads: counter(
    "mainstay_gateway_reloads_total",
    "Full loads of the rules because they were missing, changed by others or in doubt.",
    [],
  ),
  applyDuration: histogram("mainstay_gateway_apply_duration_seconds", "How long documents took to apply.", []),
  tracked: gauge("mainstay_gateway_connections", "Connections that the kernel tracks, of all programs.", []),
  trackedLimit: gauge("mainstay_gateway_connections_limit", "Connections that the kernel can track.", []),
  serviceConnections: counter(
    "mainstay_gateway_service_connections_total",
    "Connections to a Service that began here.",
    ["service"],
  ),
  servicePackets: counter("mainstay_gateway_service_packets_total", "Packets to and from a Service.", [
    "service",
    "direction",
  ]),
  serviceBytes: counter("mainstay_gateway_service_bytes_total", "Bytes to and from a Service.", [
    "service",
    "direction",
  ]),
  trafficAge: gauge("mainstay_gateway_traffic_age_seconds", "How long ago the counts of Services were read.", []),
  lastUpdate: gauge(
    "ch_k8s_lbaas_agent_last_update_timestamp_seconds",
    "When a request of /v1/apply was last answered with a status; the name is that of ch-k8s-lbaas.",
    ["status"],
  ),
} as const;
