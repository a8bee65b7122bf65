// What the demonstration says when it is ready: where things are, and what there is to try. Every line that is indented by seven
// spaces is a command, to be copied as it stands; a test runs them all.

import type { DemoPart, TryOutPlaces } from "./demo-part.ts";

export interface Places {
  readonly api: string;
  readonly dashboard: string;
  /** False: nobody has built the dashboard's pages. */
  readonly hasPages: boolean;
  readonly kubeconfig: string;
  /** The folder of the files for the things to try. */
  readonly files: string;
  /** How this program is called, and the folder in which that works. */
  readonly command: string;
  readonly folder: string;
  /** To the demonstration. */
  readonly guide: string;
}

/** For whoever would otherwise try things on what does not work. */
export function notUp(places: Places, parts: readonly DemoPart[], seconds: number): string {
  const { dashboard, kubeconfig, command, folder } = places;
  const { page, name } = parts.find(({ showpiece }) => showpiece !== undefined)?.showpiece ?? { page: "", name: "" };
  return `The demonstration has not come up within ${seconds} s: what there is to try may not work yet. It goes on trying. To see why it takes so long, open ${dashboard}${page}, or in ${quoted(folder)}: KUBECONFIG=${quoted(kubeconfig)} ${command} explain ${name}`;
}

export function welcome({ api, dashboard, hasPages, ...places }: Places, parts: readonly DemoPart[]): string {
  const { command } = places;
  const [folder = "", kubeconfig = ""] = [places.folder, places.kubeconfig].map(quoted);
  const pages = hasPages
    ? ""
    : `\n             (its pages are not built yet: npm run build; the API under /api/v1 works)`;
  const file: TryOutPlaces["file"] = (name) => quoted(`${places.files}/${name}`);
  const tryOuts = parts.flatMap((part) => part.tryOuts({ dashboard, command, file }));
  const numbered = tryOuts.toSorted((a, b) => a.order - b.order).map(({ text }, index) => `  ${index + 1}. ${text}`);
  return `An API server runs at ${api} with a cloud beside it and two managers at work on both.

  Dashboard  ${dashboard}${pages}
  kubectl    export KUBECONFIG=${kubeconfig}

${counted(numbered.length)} to try in another terminal:
       cd ${folder}
       export KUBECONFIG=${kubeconfig}

${numbered.join("\n\n")}

More, such as a second cluster, another zone, or killing the leading manager, is in ${places.guide}.

Ctrl-C here stops everything and leaves nothing behind.`;
}

function counted(things: number): string {
  const words = ["Nothing", "One thing", "Two things", "Three things", "Four things", "Five things"];
  return words[things] ?? `${things} things`;
}

/** A path as a shell reads it. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
