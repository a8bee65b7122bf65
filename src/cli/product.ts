// The jobs of this program, with their features and commands. Shared commands get it as an argument and know no job by name.

import type { JobDeclaration } from "../core/job/declaration.ts";
import type { JobFeatures } from "../engine/job-features.ts";
import type { JobCommands } from "./job-commands.ts";

export interface Product {
  readonly jobs: readonly JobDeclaration[];
  readonly features: readonly JobFeatures[];
  readonly commands: readonly JobCommands[];
}
