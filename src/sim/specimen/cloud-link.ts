// One process's way to the cloud, with the manners of a good driver: every call has a deadline that its fence can only shorten, a fence is
// asked as the call leaves, failures have reasons, and the credential stays in here. A call that has not arrived by its deadline,
// or whose caller hung up, never arrives.

import { MainstayError } from "../../core/errors.ts";
import type { Reason } from "../../core/reasons.ts";
import type { Fence } from "../../ports/kube.ts";
import { startDeadline } from "../network/call-deadline.ts";
import { connectionRefused, deliverCall, type Network } from "../network/deliver-call.ts";
import type { CallPlan, PortCall } from "../network/port-call.ts";
import type { SimProcess } from "../processes/sim-process.ts";
import { type Cloud, CloudRefusal, type SeenThing, type Thing } from "./cloud.ts";

export interface CloudCallOptions {
  readonly signal: AbortSignal;
  readonly fence?: Fence;
  /** Bounded by the fence, whatever it is. */
  readonly deadlineMs?: number;
}

export interface CloudLink {
  list(site: string, options: CloudCallOptions): Promise<readonly SeenThing[]>;
  create(site: string, owner: string, options: CloudCallOptions): Promise<Thing>;
  /** Of a thing that is gone already: done. */
  delete(site: string, id: string, options: CloudCallOptions): Promise<void>;
}

export interface CloudLinkOptions {
  readonly cloud: Cloud;
  readonly process: SimProcess;
  readonly network: Network;
  readonly planCall: (call: PortCall) => CallPlan;
  readonly credential: string;
}

const callDeadlineMs = 8_000;
const purposes: Readonly<Record<string, string>> = { create: "create-thing", delete: "delete-thing", list: "observe" };

export function cloudLink(options: CloudLinkOptions): CloudLink {
  const { cloud, credential } = options;
  return {
    list: (site, call) => callCloud(options, { verb: "list", site }, call, () => cloud.list(site)),
    create: (site, owner, call) =>
      callCloud(options, { verb: "create", site, owner }, call, () => cloud.create(site, owner, credential)),
    delete: async (site, id, call) => {
      try {
        await callCloud(options, { verb: "delete", site, id }, call, () => cloud.delete(id, credential));
      } catch (error) {
        if (!(error instanceof MainstayError && error.reason === "ObjectNotFound")) throw error;
      }
    },
  };
}

interface CloudRequest {
  readonly verb: string;
  readonly site: string;
  readonly owner?: string;
  /** Of a thing that is there. */
  readonly id?: string;
}

async function callCloud<T>(
  options: CloudLinkOptions,
  request: CloudRequest,
  { signal, fence, deadlineMs = callDeadlineMs }: CloudCallOptions,
  effect: () => T,
): Promise<T> {
  const { process, network, planCall, cloud } = options;
  const { site, id = "" } = request;
  const call = callOf(options, request, signal);
  const ms = Math.min(deadlineMs, fence?.remainingMs() ?? deadlineMs);
  const timeoutError = new MainstayError({ reason: "ApiTimeout", message: `cloud: no answer within ${ms} ms` });
  const deadline = startDeadline(process, { ms, signal, timeoutError });
  const endsMs = network.scheduler.nowMs + deadline.ms;
  try {
    const [answer] = await deliverCall<readonly [T]>(network, {
      call,
      callPlan: planCall(call),
      signal: deadline.signal,
      beforeSend: () => {
        if (fence !== undefined && fence.remainingMs() <= 0) throw failure("LeadershipLost", call);
        if (network.scheduler.nowMs >= endsMs) throw failure("ApiTimeout", call);
      },
      perform: async () => {
        const tooLate = network.scheduler.nowMs >= endsMs || deadline.signal.aborted;
        if (tooLate || cloud.down.get(site) === "silent") return undefined;
        const thing = cloud.things.get(id);
        const mark = thing === undefined ? {} : { markBefore: thing.owner };
        network.events.emit("arrived", { call, status: 200, before: undefined, ...mark });
        return [effect()];
      },
      turnedAway: (how) =>
        how.how === "connection"
          ? connectionRefused()
          : failure(how.status === 429 ? "ApiRateLimited" : "ApiServerError", call),
      describe: () => "done",
    });
    return answer;
  } catch (error) {
    throw mapped(error, call);
  } finally {
    deadline.end();
  }
}

function callOf({ process, network }: CloudLinkOptions, request: CloudRequest, signal: AbortSignal): PortCall {
  const { verb, site } = request;
  return {
    process,
    port: "cloud",
    verb,
    target: `site-${site}`,
    path: "",
    write: verb !== "list",
    purpose: purposes[verb] ?? verb,
    body: JSON.stringify(request),
    sentMs: network.scheduler.nowMs,
    actor: process.rounds.get(signal),
  };
}

/** Nothing of what the cloud said goes on: it may repeat a credential. */
function mapped(error: unknown, call: PortCall): MainstayError {
  if (error instanceof MainstayError) return error;
  if (error instanceof CloudRefusal) {
    return failure(error.kind === "NoSuchThing" ? "ObjectNotFound" : "ApiServerError", call);
  }
  return failure("ApiUnreachable", call);
}

function failure(reason: Reason, { verb, target }: PortCall): MainstayError {
  return new MainstayError({ reason, message: `cloud: ${verb} at ${target} failed` });
}
