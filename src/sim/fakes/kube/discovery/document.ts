// A ready answer that is not a stored object: a discovery or OpenAPI document with the content type it must be sent as.

import type { JsonObject } from "../json.ts";

export interface ServedDocument {
  readonly contentType: string;
  /** Text is sent as it is. */
  readonly body: JsonObject | string;
}
