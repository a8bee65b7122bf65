// A JSON object inside CEL. Each declared type has a subclass of its own, by which the evaluator tells types apart.

export class CelObject {
  readonly [field: string]: unknown;
}
