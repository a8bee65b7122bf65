// The Infrastructure manifest: made anew, or merged into one that exists with everything else in the file kept.

import { type Document, isMap } from "yaml";
import { apiVersionOf } from "../../../apis/kube/kube-object.ts";
import { type Problem, quote } from "../../../apis/text/problem.ts";
import { InvalidInput } from "../../../cli/invalid-input.ts";
import { documentsIn, yamlProblems } from "../../../core/yaml-text.ts";
import {
  declaredAnnotation,
  type Infrastructure,
  infrastructureName,
  infrastructures,
} from "../apis/infrastructure.ts";
import { type Declaration, encodeDeclaration } from "../core/declaration.ts";
import { editYaml, type YamlEdit } from "./edit-yaml.ts";

export function manifestFor(declaration: Declaration): Infrastructure {
  const { controlPlane, infrastructure } = declaration.topology;
  return {
    apiVersion: apiVersionOf(infrastructures),
    kind: infrastructures.kind,
    metadata: { name: infrastructureName, annotations: { [declaredAnnotation]: encodeDeclaration(declaration) } },
    spec: {},
    status: { controlPlaneTopology: controlPlane, infrastructureTopology: infrastructure },
  };
}

export interface MergedManifest {
  readonly text: string;
  /** Values that stood there and differ from the declared ones. */
  readonly replaced: readonly string[];
}

export function mergeIntoManifest(text: string, name: string, declaration: Declaration): MergedManifest {
  const documents = parse(text, name);
  const document = theInfrastructure(documents, name);
  const { controlPlane, infrastructure } = declaration.topology;
  const edits = (
    [
      { path: ["metadata", "annotations", declaredAnnotation], value: encodeDeclaration(declaration) },
      { path: ["status", "controlPlaneTopology"], value: controlPlane },
      { path: ["status", "infrastructureTopology"], value: infrastructure },
    ] satisfies YamlEdit[]
  ).filter(({ path, value }) => document.getIn(path) !== value);
  const merged = editYaml(text, documents.indexOf(document), edits);
  if (merged === undefined) {
    throw cannotMerge(name, [
      problem(name, "its fields cannot be set without changing others", "Write metadata and status without anchors."),
    ]);
  }
  return { text: merged, replaced: edits.flatMap(({ path }) => replacedAt(document, path)) };
}

function parse(text: string, name: string): readonly Document[] {
  if (text.includes("\uFFFD"))
    throw cannotMerge(name, [problem(name, "not all of it is UTF-8", "Save it in UTF-8 first.")]);
  const documents = documentsIn(text);
  const problems = documents.flatMap((document) =>
    yamlProblems(document).map((message) => problem(name, message, "Correct the YAML.")),
  );
  if (problems.length > 0) throw cannotMerge(name, problems);
  return documents;
}

function theInfrastructure(documents: readonly Document[], name: string): Document {
  const found = documents.filter((document) => document.get("kind") === infrastructures.kind);
  const [document] = found;
  if (document === undefined || found.length > 1) {
    const message = `${found.length} Infrastructure objects in it`;
    throw cannotMerge(name, [problem(name, message, "Name a file with exactly one, or one that does not exist yet.")]);
  }
  const checks: readonly (readonly [path: readonly string[], expected: string])[] = [
    [["apiVersion"], apiVersionOf(infrastructures)],
    [["metadata", "name"], infrastructureName],
  ];
  const problems = checks
    .filter(([path, expected]) => document.getIn(path) !== expected)
    .map(([path, expected]) =>
      problem(path.join("."), `${JSON.stringify(document.getIn(path))} is not ${expected}`, `Write ${expected}.`),
    );
  for (const part of [["metadata"], ["metadata", "annotations"], ["status"]]) {
    const node = document.getIn(part);
    if (node !== undefined && node !== null && !isMap(node))
      problems.push(problem(part.join("."), "not a mapping", "Write fields and values."));
  }
  if (problems.length > 0) throw cannotMerge(name, problems);
  return document;
}

/** What stood there before, if it was something; the declaration is nobody's but ours. */
function replacedAt(document: Document, path: readonly string[]): string[] {
  const before = document.getIn(path);
  const isNothing = before === undefined || before === null || before === "";
  return isNothing || path.at(-1) === declaredAnnotation ? [] : [`${path.join(".")} was ${quote(before)}`];
}

function cannotMerge(name: string, problems: readonly Problem[]): InvalidInput {
  return new InvalidInput(`${name} cannot be merged into`, problems);
}

function problem(where: string, message: string, hint: string): Problem {
  return { where, message, hint };
}
