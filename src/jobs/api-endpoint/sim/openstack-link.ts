// One process's way to OpenStack, which behaves as the driver: every call has a deadline that its fence can only shorten, a fence is
// asked as the call leaves, failures are OpenStackErrors, one token serves all who have the same credentials, and credentials stay in
// here. A call that has not arrived by its deadline, or whose caller hung up, never arrives.

import { MainstayError } from "../../../core/errors.ts";
import type { CloudConfig } from "../../../core/openstack/cloud-config.ts";
import {
  OpenStackError,
  type OpenStackErrorCode,
  type OpenStackService,
} from "../../../core/openstack/openstack-error.ts";
import type { CloudWriteOptions, OpenStack, OpenStackProject, ProjectIdentity } from "../../../ports/openstack.ts";
import type { FakeOpenStack } from "../../../sim/fakes/openstack/fake-openstack.ts";
import { startDeadline } from "../../../sim/network/call-deadline.ts";
import { connectionRefused, deliverCall, type Network } from "../../../sim/network/deliver-call.ts";
import type { CallPlan, PortCall, TurnedAway } from "../../../sim/network/port-call.ts";
import type { SimProcess } from "../../../sim/processes/sim-process.ts";
import type { CallEffects } from "./call-effects.ts";
import { isWriteMethod, purposeOf, targetOf } from "./openstack-calls.ts";

export interface OpenStackLinkOptions {
  readonly fake: FakeOpenStack;
  readonly effects: CallEffects;
  readonly process: SimProcess;
  readonly network: Network;
  readonly planCall: (call: PortCall) => CallPlan;
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
  let known: ProjectIdentity | undefined;
  return {
    identify: async (callOptions) => {
      known ??= await send(options, { service: "keystone", method: "authenticate", args: [] }, callOptions, () =>
        project.identify({}),
      );
      return known;
    },
    octavia: linkedService(options, "octavia", project.octavia),
    neutron: linkedService(options, "neutron", project.neutron),
    nova: linkedService(options, "nova", project.nova),
  };
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** Every method of the port as a call that is delivered; its options come last. */
function linkedService<P extends object>(options: OpenStackLinkOptions, service: OpenStackService, port: P): P {
  const linked = Object.entries(port as Readonly<Record<string, Method>>).map(([method, perform]) => {
    const place = perform.length - 1;
    const calling: Method = (...given) => {
      const args = given.slice(0, place);
      const callOptions = given[place] as CloudWriteOptions | undefined;
      return send(options, { service, method, args }, callOptions, () => perform(...args, {}));
    };
    return [method, calling];
  });
  return Object.fromEntries(linked) as P;
}

interface Request {
  readonly service: OpenStackService;
  readonly method: string;
  readonly args: readonly unknown[];
}

async function send<T>(
  options: OpenStackLinkOptions,
  request: Request,
  { signal, fence, deadlineMs = callDeadlineMs }: CloudWriteOptions = {},
  effect: () => Promise<T>,
): Promise<T> {
  const { process, network, planCall, effects } = options;
  const call = callOf(options, request, signal);
  const ms = Math.min(deadlineMs, fence?.remainingMs() ?? deadlineMs);
  const deadline = startDeadline(process, { ms, signal, timeoutError: failure(request, "Timeout") });
  const endsMs = network.scheduler.nowMs + deadline.ms;
  try {
    const [answer] = await deliverCall<readonly [T]>(network, {
      call,
      callPlan: planCall(call),
      signal: deadline.signal,
      beforeSend: () => {
        if (fence !== undefined && fence.remainingMs() <= 0) throw leadershipLost(request);
        if (network.scheduler.nowMs >= endsMs) throw failure(request, "Timeout");
      },
      perform: async () => {
        if (network.scheduler.nowMs >= endsMs || deadline.signal.aborted) return undefined;
        network.events.emit("arrived", { call, status: 200, before: undefined });
        return await effects.during(call, request.method, effect);
      },
      turnedAway: (how) => turnedAway(request, how),
      describe: () => "done",
    });
    return answer;
  } catch (error) {
    throw error instanceof MainstayError ? error : failure(request, "Unreachable");
  } finally {
    deadline.end();
  }
}

function callOf({ process, network }: OpenStackLinkOptions, request: Request, signal?: AbortSignal): PortCall {
  const { service, method, args } = request;
  return {
    process,
    port: "cloud",
    verb: method,
    target: targetOf(args),
    path: service,
    write: isWriteMethod(method),
    purpose: purposeOf(method, args),
    body: JSON.stringify(args),
    sentMs: network.scheduler.nowMs,
    actor: signal === undefined ? undefined : process.rounds.get(signal),
  };
}

function turnedAway(request: Request, how: TurnedAway): Error {
  if (how.how === "connection") return connectionRefused();
  return failure(request, how.status === 429 ? "TooManyRequests" : "ServerError", how.status);
}

function failure({ service, method }: Request, code: OpenStackErrorCode, status?: number): OpenStackError {
  const retry = code === "TooManyRequests" ? { retryAfterMs: 1_000 } : {};
  const message = `${method}: ${status ?? "no answer"}`;
  return new OpenStackError({
    code,
    service,
    operation: method,
    message,
    ...(status === undefined ? {} : { status }),
    ...retry,
  });
}

function leadershipLost({ method }: Request): MainstayError {
  return new MainstayError({ reason: "LeadershipLost", message: `${method}: not sent, the lease has run out` });
}
