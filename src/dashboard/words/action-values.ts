// The values of an action, without those that are shown beside them already. Pure.

export interface ActionText {
  /** As core's `describeAction` words it. */
  readonly words: string;
  readonly action: string;
  readonly reason: string;
  readonly lane?: string;
  readonly removes?: string;
  /** Of the object the action is shown for: its name is not repeated. */
  readonly name?: string | undefined;
}

export function actionValues({ words, action, reason, lane, removes, name = "" }: ActionText): string {
  const shown = [` because ${reason}`, ` removing ${removes}`, ` in ${lane}`];
  const values = shown.reduce((rest, part) => rest.replace(part, ""), words);
  const spaced = action.replaceAll("-", " ");
  const kind = [action, spaced].find((word) => values.startsWith(word)) ?? "";
  const rest = values.slice(kind.length).trim();
  const own = name !== "" && (rest === name || rest.startsWith(`${name} `)) ? rest.slice(name.length).trim() : rest;
  return /^\([^()]*\)$/.test(own) ? own.slice(1, -1) : own;
}
