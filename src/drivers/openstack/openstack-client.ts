// The OpenStack port over any transport: clouds by their credentials, each with its services.

import type { CloudConfig } from "../../core/openstack/cloud-config.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CloudCallOptions, OpenStack, OpenStackProject, ProjectIdentity } from "../../ports/openstack.ts";
import type { OpenStackTransport } from "../../ports/openstack-transport.ts";
import type { Random } from "../../ports/random.ts";
import { startDeadline } from "../http/deadline.ts";
import type { CallMeter } from "./call-meter.ts";
import { errorWithoutAnswer } from "./connection-errors.ts";
import type { Channel } from "./exchange.ts";
import { KnownExtensions } from "./known-extensions.ts";
import { regionAt, serviceRoot, servicesAt } from "./login/catalogue.ts";
import { keystoneRoot, loginSubject } from "./login/keystone.ts";
import type { Session } from "./login/session.ts";
import { Sessions } from "./login/sessions.ts";
import { neutronClient } from "./neutron-client.ts";
import { novaClient } from "./nova-client.ts";
import { octaviaClient } from "./octavia-client.ts";
import { ProjectCalls } from "./project-calls.ts";

export interface OpenStackClientOptions {
  readonly transport: OpenStackTransport;
  readonly clock: Clock;
  readonly random: Random;
  /** Such as `mainstay/1.2.0`. */
  readonly userAgent?: string;
  /** Deadline of a call that names none, retries included. */
  readonly deadlineMs?: number;
  /** Entries asked for in one page of a list. */
  readonly pageSize?: number;
  readonly meter?: CallMeter;
}

export function openStackClient(options: OpenStackClientOptions): OpenStack {
  const channel: Channel = {
    transport: options.transport,
    clock: options.clock,
    random: options.random,
    userAgent: options.userAgent ?? "mainstay",
    deadlineMs: options.deadlineMs ?? 60_000,
    pageSize: options.pageSize ?? 1000,
    meter: options.meter ?? { onCall: () => {} },
    extensions: new KnownExtensions(options.clock),
  };
  const sessions = new Sessions(channel);
  return { project: (cloud) => openProject(channel, sessions.for(cloud), cloud) };
}

function openProject(channel: Channel, session: Session, cloud: CloudConfig): OpenStackProject {
  const calls = new ProjectCalls(channel, session, cloud);
  return {
    identify: (options) => identify(channel, session, cloud, options),
    timeMs: async () => session.cloudClock.nowMs(),
    octavia: octaviaClient(calls),
    neutron: neutronClient(calls),
    nova: novaClient(calls),
  };
}

async function identify(
  channel: Channel,
  session: Session,
  cloud: CloudConfig,
  { deadlineMs, signal }: CloudCallOptions = {},
): Promise<ProjectIdentity> {
  const deadline = startDeadline(channel.clock, deadlineMs ?? channel.deadlineMs, signal);
  try {
    const { projectId, catalogue } = await session.authentication(deadline.signal);
    // Without an Octavia nothing can be shared but the cloud itself.
    const octavia =
      serviceRoot(catalogue, "octavia", cloud) ??
      `${keystoneRoot(cloud.authUrl)} ${cloud.region ?? ""} ${cloud.interface}`;
    return {
      projectId,
      region: regionAt(catalogue, cloud) ?? "",
      endpointKey: `${octavia} ${projectId}`,
      tokenKey: session.name,
      services: servicesAt(catalogue, cloud),
    };
  } catch (error) {
    throw errorWithoutAnswer(loginSubject(cloud), error, { sent: true, write: false, signal }, session.redact);
  } finally {
    deadline.end();
  }
}
