// One process's port to OpenStack, over the simulated network: failures are OpenStackErrors, one token serves all who have the same
// credentials, and credentials stay in here.

import { MainstayError } from "../../core/errors.ts";
import type { CloudConfig } from "../../core/openstack/cloud-config.ts";
import {
  OpenStackError,
  type OpenStackErrorCode,
  type OpenStackService,
} from "../../core/openstack/openstack-error.ts";
import type { OpenStack, OpenStackProject, ProjectIdentity } from "../../ports/openstack.ts";
import type { FakeOpenStack } from "../fakes/openstack/fake-openstack.ts";
import type { NetworkAccess } from "../network/network.ts";
import type { PortCall } from "../network/port-call.ts";
import { type SimulatedSystem, simulatedCall, simulatedPort } from "../network/simulated-port.ts";
import type { CallEffects } from "./call-effects.ts";
import { isWriteMethod, purposeOf, targetOf } from "./openstack-calls.ts";

export interface OpenStackLinkOptions extends NetworkAccess {
  readonly fake: FakeOpenStack;
  readonly effects: CallEffects;
}

/** Shorter than the driver's own, and as there twice as long as the Lease lasts: worlds live for minutes. */
export const callDeadlineMs = 12_000;

export function openStackLink(options: OpenStackLinkOptions): OpenStack {
  const projects = new Map<string, OpenStackProject>();
  return {
    project: (config) => {
      const key = JSON.stringify(config);
      const project = projects.get(key) ?? linkedProject(options, config);
      projects.set(key, project);
      return project;
    },
  };
}

function linkedProject(options: OpenStackLinkOptions, config: CloudConfig): OpenStackProject {
  const project = options.fake.project(config);
  const keystone = systemOf(options, "keystone");
  const linked = <P extends object>(service: OpenStackService, port: P): P =>
    simulatedPort(options, systemOf(options, service), port);
  let known: ProjectIdentity | undefined;
  return {
    identify: async (callOptions) => {
      const request = { method: "authenticate", args: [], options: callOptions, effect: () => project.identify({}) };
      known ??= await simulatedCall(options, keystone, request);
      return known;
    },
    timeMs: () => project.timeMs(),
    octavia: linked("octavia", project.octavia),
    neutron: linked("neutron", project.neutron),
    nova: linked("nova", project.nova),
  };
}

function systemOf({ effects }: OpenStackLinkOptions, service: OpenStackService): SimulatedSystem {
  return {
    port: "cloud",
    callDeadlineMs,
    describe: (method, args) => ({
      target: targetOf(args),
      path: service,
      write: isWriteMethod(method),
      purpose: purposeOf(method, args),
    }),
    errors: {
      timeout: (call) => failure(service, call, "Timeout"),
      leadershipLost,
      refused: (call, status) =>
        failure(service, call, status === 429 ? "TooManyRequests" : "ServerError", {
          status,
          ...(status === 429 ? { retryAfterMs: 1_000 } : {}),
        }),
      failed: (call) => failure(service, call, "Unreachable"),
    },
    during: (call, effect) => effects.during(call, call.verb, effect),
  };
}

function failure(
  service: OpenStackService,
  { verb }: PortCall,
  code: OpenStackErrorCode,
  answer: { readonly status?: number; readonly retryAfterMs?: number } = {},
): OpenStackError {
  const message = `${verb}: ${answer.status ?? "no answer"}`;
  return new OpenStackError({ code, service, operation: verb, message, ...answer });
}

function leadershipLost({ verb }: PortCall): MainstayError {
  return new MainstayError({ reason: "LeadershipLost", message: `${verb}: not sent, the lease has run out` });
}
