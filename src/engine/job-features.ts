// The features of a job, made from its part of the configuration. Every controller that a job declares has one: a forgotten one does not
// compile.

import type { z } from "zod";
import type { JobDeclaration } from "../core/job/declaration.ts";
import type { OpenStack } from "../ports/openstack.ts";
import type { Probe } from "../ports/probe.ts";
import type { Feature } from "./feature.ts";

/** What controllers reach beside the Kubernetes API. */
export interface JobPorts {
  readonly openStack: OpenStack;
  /** Absent where nothing is asked but the clouds' own interfaces, as by commands. */
  readonly probe?: Probe;
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
