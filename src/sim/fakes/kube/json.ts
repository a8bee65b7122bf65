// Plain JSON values, as they stand on the wire. The fake works on these and on nothing richer.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [field: string]: Json | undefined;
}
