// The metrics that all jobs share: those of the engine and of the clients. A job's own stand in its declaration.

import { counter, gauge, histogram, type MetricTable, objectGauge } from "../../core/job/metric.ts";

export const metricDefinitions = {
  reconciles: counter("mainstay_reconciles_total", "Reconciles by controller and outcome.", ["controller", "outcome"]),
  reconcileSeconds: histogram("mainstay_reconcile_duration_seconds", "How long a reconcile took.", [
    "controller",
    "outcome",
  ]),
  actions: counter("mainstay_actions_total", "Actions by controller, kind of action and result.", [
    "controller",
    "action",
    "result",
  ]),
  reasons: counter("mainstay_reasons_total", "Failures, refusals and waits by controller and reason.", [
    "controller",
    "reason",
  ]),
  heldUpKeys: objectGauge(
    "mainstay_held_up_keys",
    "Objects whose last round met this reason: what is wrong or waited for now.",
    ["controller", "reason", "severity"],
  ),
  isolatedKeys: gauge("mainstay_isolated_keys", "Keys isolated by a broken invariant until their objects change.", [
    "controller",
  ]),
  overdueKeys: gauge("mainstay_overdue_keys", "Keys whose reconcile goes on past its deadline.", ["controller"]),
  queueDepth: gauge("mainstay_queue_keys", "Keys that wait for a worker.", ["controller"]),
  queueSeconds: histogram("mainstay_queue_latency_seconds", "How long a key waited for a worker.", ["controller"]),
  requests: counter("mainstay_api_requests_total", "Requests to the API server by verb, kind and code.", [
    "verb",
    "kind",
    "code",
  ]),
  requestSeconds: histogram(
    "mainstay_api_request_duration_seconds",
    "How long the API server took to begin its answer.",
    ["verb", "kind"],
  ),
  leading: gauge("mainstay_leader_state", "1 while this manager leads.", []),
  epoch: gauge("mainstay_leader_epoch", "Number of the last term this manager led; it grows with every term.", []),
  watchRestarts: counter("mainstay_watch_restarts_total", "Watches that had to begin again, by kind and reason.", [
    "kind",
    "reason",
  ]),
  handlerErrors: counter("mainstay_handler_errors_total", "Informer handlers that threw, by kind.", ["kind"]),
  cacheReady: gauge("mainstay_cache_ready", "1 while the cache of a kind is in sync.", ["kind"]),
  eventsDropped: counter("mainstay_events_dropped_total", "Events that were not written, by reason.", ["reason"]),
  featureGates: gauge("mainstay_feature_gate_enabled", "1 for a feature gate that is on.", ["name", "stage"]),
  cloudRequests: counter("mainstay_openstack_requests_total", "Requests to OpenStack by service, operation and code.", [
    "service",
    "operation",
    "code",
  ]),
  cloudRequestSeconds: histogram(
    "mainstay_openstack_request_duration_seconds",
    "How long OpenStack took to answer, by service and operation.",
    ["service", "operation"],
  ),
  build: gauge("mainstay_build_info", "Always 1; the labels say what runs.", ["version"]),
} as const satisfies MetricTable;

export type MetricName = keyof typeof metricDefinitions;
