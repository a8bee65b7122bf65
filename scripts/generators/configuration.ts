// docs/reference/configuration.md: every setting of the configuration file, from the schema that checks it. A setting without a
// description is an error.

import { z } from "zod";
import { schemaFor } from "../../src/cli/configuration/configuration.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { generatedNote, table } from "./markdown.ts";

const jsonSchema = z.looseObject({
  type: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});
type Schema = z.output<typeof jsonSchema>;

interface Setting {
  readonly path: string;
  readonly schema: Schema;
}

export function configurationPage(): string {
  const settings = settingsOf(z.toJSONSchema(schemaFor(allJobs), { io: "input", unrepresentable: "any" }), []);
  const rows = settings.map(({ path, schema }) => [
    `\`${path}\``,
    kindOf(schema),
    defaultOf(schema),
    describe(path, schema),
  ]);
  return `# Configuration

${generatedNote("src/cli/configuration/configuration.ts", "src/jobs/*/job.ts")}

\`mainstay controller --config FILE\` reads one YAML file for all jobs. Every setting may be left out; flags win over the file. Unknown settings are errors, and all problems are listed at once. \`--print-config\` prints what is in effect, defaults included.

${table(["Setting", "Kind", "Default", "Meaning"], rows)}
`;
}

function settingsOf(raw: unknown, path: readonly string[]): readonly Setting[] {
  const schema = jsonSchema.parse(raw);
  if (schema.properties === undefined) return [{ path: path.join("."), schema }];
  return Object.entries(schema.properties).flatMap(([name, inner]) => settingsOf(inner, [...path, name]));
}

function describe(path: string, { description }: Schema): string {
  if (description === undefined) throw new Error(`setting ${path} has no description in its schema`);
  return description;
}

function kindOf({ type, enum: values, items, minimum, exclusiveMinimum, maximum }: Schema): string {
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (type === "array") return `list of ${kindOf(jsonSchema.parse(items))}s`;
  if (type === "object") return "map";
  if (type !== "integer" && type !== "number") return type ?? "any";
  const low =
    exclusiveMinimum === undefined ? (minimum === undefined ? "" : ` from ${minimum}`) : ` above ${exclusiveMinimum}`;
  return `${type}${low}${maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? "" : ` to ${maximum}`}`;
}

function defaultOf({ default: value }: Schema): string {
  return value === undefined ? "" : `\`${JSON.stringify(value)}\``;
}
