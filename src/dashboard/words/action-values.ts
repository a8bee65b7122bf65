// The values of an action, without what is said beside them already. Pure.

export interface ActionText {
  /** As core's `describeAction` words it. */
  readonly words: string;
  readonly action: string;
  readonly reason: string;
  readonly lane?: string;
  readonly removes?: string;
}

export function actionValues({ words, action, reason, lane, removes }: ActionText): string {
  const said = [` because ${reason}`, ` removing ${removes}`, ` in ${lane}`];
  const values = said.reduce((rest, part) => rest.replace(part, ""), words);
  const spoken = action.replaceAll("-", " ");
  const kind = [action, spoken].find((word) => values.startsWith(word)) ?? "";
  return values.slice(kind.length).trim();
}
