// What a job brings to the demonstration: what the cluster holds of it at first, who stands in for the systems around it, what a person
// can break, and what there is to try.

import type { CustomResourceDefinition } from "../../apis/kube/crd.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Kube } from "../../ports/kube.ts";
import type { Random } from "../../ports/random.ts";
import type { DemoCloud } from "./demo-cloud.ts";
import type { FaultDefinition } from "./fault-registry.ts";

/** What the demonstration has for every part. */
export interface DemoSetting {
  readonly clock: Clock;
  readonly random: Random;
  /** Past all faults. */
  readonly kube: Kube;
  readonly cloud: DemoCloud;
}

export interface DemoPart {
  /** Its lines of the managers' configuration. */
  readonly configuration: string;
  /** Definitions of others that its objects stand beside. */
  readonly neighbours: readonly CustomResourceDefinition[];
  readonly faults: readonly FaultDefinition[];
  /** Files for the things to try, by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly tryOuts: (places: TryOutPlaces) => readonly TryOut[];
  /** The object whose page shows the demonstration at work. */
  readonly showpiece?: { readonly kind: string; readonly page: string; readonly name: string };
  furnish(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export type DemoPartOf = (setting: DemoSetting) => DemoPart;

/** Where things are, as a shell reads them. */
export interface TryOutPlaces {
  readonly dashboard: string;
  /** How this program is called. */
  readonly command: string;
  /** The path of one of the part's files. */
  readonly file: (name: string) => string;
}

/** One thing to try. Lines that are indented by seven spaces are commands, to be copied as they stand; a test runs them all. */
export interface TryOut {
  /** Among those of all parts. */
  readonly order: number;
  readonly text: string;
}
