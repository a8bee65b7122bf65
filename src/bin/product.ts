// All of Mainstay, for those who run it: the declarations, features and commands of every job.

import type { Product } from "../cli/product.ts";
import { allJobs } from "../jobs/all.ts";
import { allCommands } from "../jobs/commands.ts";
import { allFeatures } from "../jobs/features.ts";

export const product: Product = { jobs: allJobs, features: allFeatures, commands: allCommands };
