// The media types of an Accept header, in the client's order, with their parameters.

export interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** No header accepts everything. */
export function mediaRanges(accept: string): readonly MediaRange[] {
  if (accept.trim() === "") return [{ type: "*/*", parameters: new Map() }];
  return accept.split(",").map((range) => {
    const [type = "", ...rest] = range.split(";").map((part) => part.trim());
    const parameters = rest.map((part): [string, string] => {
      const [name = "", value = ""] = part.split("=");
      return [name, value];
    });
    return { type, parameters: new Map(parameters) };
  });
}
