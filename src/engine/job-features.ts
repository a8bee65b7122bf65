// The features of a job, made from its part of the configuration. Every controller that a job declares has one: a forgotten one does not
// compile.

import type { z } from "zod";
import type { JobDeclaration } from "../core/job/declaration.ts";
import type { Clock } from "../ports/clock.ts";
import type { GatewayFeed } from "../ports/gateway-feed.ts";
import type { OpenStack } from "../ports/openstack.ts";
import type { Probe } from "../ports/probe.ts";
import type { Random } from "../ports/random.ts";
import type { Tokens } from "../ports/tokens.ts";
import type { Feature } from "./feature.ts";

/** What controllers reach beside the Kubernetes API. */
export interface JobPorts {
  readonly openStack: OpenStack;
  /** Absent where nothing is asked but the clouds' own interfaces, as by commands. */
  readonly probe?: Probe;
  /** To the agents of gateways. Absent: nobody asks or tells them anything. */
  readonly gateways?: {
    readonly feed: GatewayFeed;
    readonly tokens: Tokens;
    readonly clock: Clock;
    readonly random: Random;
  };
}

export interface FeatureContext<Settings, Gate extends string> {
  readonly settings: Settings;
  readonly featureGates: Readonly<Record<Gate, boolean>>;
  /** Whether a controller of any job runs. */
  readonly runs: (controller: string) => boolean;
  readonly ports: JobPorts;
}

type AnyContext = FeatureContext<unknown, string>;
type ContextOf<D extends JobDeclaration> = FeatureContext<
  z.output<D["settings"]["schema"]>,
  keyof D["featureGates"] & string
>;

export interface JobFeatures {
  readonly job: JobDeclaration;
  /** By controller. */
  readonly controllers: Readonly<Record<string, (context: AnyContext) => Feature>>;
}

export function jobFeatures<D extends JobDeclaration>(
  job: D,
  controllers: Readonly<Record<keyof D["controllers"], (context: ContextOf<D>) => Feature>>,
): JobFeatures {
  // A context is made from this very declaration: its settings passed the declaration's own schema.
  return { job, controllers: controllers as unknown as JobFeatures["controllers"] };
}
