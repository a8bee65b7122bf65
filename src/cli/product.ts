// What this Mainstay consists of: its jobs, with their features and commands. Commands are given it, and know no job by name.

import type { JobDeclaration } from "../core/job/declaration.ts";
import type { JobFeatures } from "../engine/job-features.ts";
import type { JobCommands } from "./job-commands.ts";

export interface Product {
  readonly jobs: readonly JobDeclaration[];
  readonly features: readonly JobFeatures[];
  readonly commands: readonly JobCommands[];
}
