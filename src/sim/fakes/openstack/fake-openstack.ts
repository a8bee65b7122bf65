// An OpenStack cloud in one process: Keystone, Neutron, Octavia and, if wanted, Nova; strict, stateful, without sockets, driven by the
// Clock and Random it is given. The same calls in the same order always give the same answers.

import type { CloudConfig } from "../../../core/openstack/cloud-config.ts";
import type { OpenStack, OpenStackProject } from "../../../ports/openstack.ts";
import type { Probe } from "../../../ports/probe.ts";
import { CallHandler, type PlanCloudCall } from "./call-handler.ts";
import { type Cloud, type CloudChange, createCloud } from "./cloud.ts";
import { type CloudFaults, cloudFaults } from "./cloud-faults.ts";
import { CloudSession } from "./cloud-session.ts";
import type { CloudSettings, FakeOpenStackOptions } from "./cloud-settings.ts";
import { cloudProbe } from "./data-path.ts";
import { neutronPort } from "./neutron/neutron-port.ts";
import { novaPort } from "./nova.ts";
import { octaviaPort } from "./octavia/octavia-port.ts";

export interface FakeOpenStack extends OpenStack {
  /** For set-up (cloud-setup.ts), the HTTP front and checkers. Nobody but those changes it directly. */
  readonly cloud: Cloud;
  readonly calls: CallHandler;
  /** May be changed at any time. */
  readonly settings: CloudSettings;
  readonly faults: CloudFaults;
  /** Reaches what the cloud's balancers serve. */
  readonly probe: Probe;
  /** Asked about every call before it happens. Returns how to stop asking. */
  addCallPlan(planCall: PlanCloudCall): () => void;
  /** The listener gets every change at once, the cloud's own included. Returns how to stop listening. */
  onChange(listener: (change: CloudChange) => void): () => void;
  /** `octavia create load balancer` → how often. */
  counts(): ReadonlyMap<string, number>;
  resetCounts(): void;
  /** Stops the cloud's own timers. */
  close(): void;
}

export function createFakeOpenStack(options: FakeOpenStackOptions): FakeOpenStack {
  const cloud = createCloud(options);
  const calls = new CallHandler(cloud);
  const projects = new Map<string, OpenStackProject>();
  return {
    cloud,
    calls,
    settings: cloud.settings,
    faults: cloudFaults(cloud),
    probe: cloudProbe(cloud),
    project(config) {
      const key = JSON.stringify({ ...config, cloudName: undefined });
      const project = projects.get(key) ?? createProject(cloud, calls, config, `session ${projects.size}`);
      projects.set(key, project);
      return project;
    },
    addCallPlan: (planCall) => calls.addCallPlan(planCall),
    onChange(listener) {
      cloud.changeListeners.add(listener);
      return () => cloud.changeListeners.delete(listener);
    },
    counts: () => calls.counts(),
    resetCounts: () => calls.resetCounts(),
    close() {
      for (const timer of [...cloud.phases.values(), ...cloud.healthChecks.values()]) timer.cancel();
      cloud.phases.clear();
      cloud.healthChecks.clear();
    },
  };
}

function createProject(cloud: Cloud, calls: CallHandler, config: CloudConfig, name: string): OpenStackProject {
  const session = new CloudSession(cloud, calls, config, name);
  return {
    identify: (options) => session.identify(options),
    timeMs: async () => cloud.clock.nowMs(),
    octavia: octaviaPort(session.service("octavia")),
    neutron: neutronPort(session.service("neutron")),
    nova: novaPort(session.service("nova")),
  };
}
