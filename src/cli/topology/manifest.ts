// The Infrastructure manifest: made anew, or merged into one that exists with its comments and unknown fields kept.

import { type Document, isMap, parseAllDocuments } from "yaml";
import {
  declaredAnnotation,
  type Infrastructure,
  infrastructureName,
  infrastructures,
} from "../../apis/infrastructure.ts";
import { apiVersionOf } from "../../apis/kube-object.ts";
import { type Problem, quote } from "../../apis/problem.ts";
import { type Declaration, encodeDeclaration } from "../../core/topology/declaration.ts";
import { InvalidInput } from "../invalid-input.ts";

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
  const replaced = [
    ...setField(document, ["status", "controlPlaneTopology"], controlPlane),
    ...setField(document, ["status", "infrastructureTopology"], infrastructure),
  ];
  setField(document, ["metadata", "annotations", declaredAnnotation], encodeDeclaration(declaration));
  return { text: documents.map((each) => each.toString({ lineWidth: 0 })).join(""), replaced };
}

function parse(text: string, name: string): readonly Document[] {
  const parsed = parseAllDocuments(text);
  const documents = Array.isArray(parsed) ? parsed : [];
  const problems = documents.flatMap(({ errors }) =>
    errors.map(({ message }) => problem(name, message.split("\n", 1)[0] ?? "", "Correct the YAML.")),
  );
  if (problems.length > 0) throw new InvalidInput(`${name} cannot be merged into`, problems);
  return documents;
}

function theInfrastructure(documents: readonly Document[], name: string): Document {
  const found = documents.filter((document) => document.get("kind") === infrastructures.kind);
  const [document] = found;
  if (document === undefined || found.length > 1) {
    throw new InvalidInput(`${name} cannot be merged into`, [
      problem(
        name,
        `${found.length} Infrastructure objects in it`,
        "Name a file with exactly one, or one that does not exist yet.",
      ),
    ]);
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
  for (const part of ["metadata", "status"]) {
    const node = document.get(part);
    if (node !== undefined && node !== null && !isMap(node))
      problems.push(problem(part, "not a mapping", "Write fields and values."));
  }
  if (problems.length > 0) throw new InvalidInput(`${name} cannot be merged into`, problems);
  return document;
}

/** Answers with what stood there before, if it was something else. */
function setField(document: Document, path: readonly string[], value: string): string[] {
  const before = document.getIn(path);
  if (before === value) return [];
  for (let depth = 1; depth < path.length; depth += 1) {
    const parent = path.slice(0, depth);
    const node = document.getIn(parent);
    if (node === undefined || node === null) document.setIn(parent, document.createNode({}));
  }
  document.setIn(path, value);
  return before === undefined || before === null || before === "" ? [] : [`${path.join(".")} was ${quote(before)}`];
}

function problem(where: string, message: string, hint: string): Problem {
  return { where, message, hint };
}
