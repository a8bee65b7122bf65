// The picture of a cluster's topology: what was declared, what operators read, and the nodes that it has to fit.

import type { Condition } from "../../../apis/kube/kube-object.ts";
import { conditionsOf } from "../../../core/conditions.ts";
import type { Health } from "../../../core/views/object-view.ts";
import type { EdgeState, Picture, PictureInput, PictureNode } from "../../../core/views/picture.ts";
import { defaultTopology } from "../apis/infrastructure.ts";
import { type TopologyReport, type TopologyText, topologyReports } from "../apis/topology-report.ts";
import { misfits } from "./fit.ts";

/** Of the Infrastructure or of the report on it. Undefined before the first report. */
export function topologyPicture({ object, report }: PictureInput): Picture | undefined {
  const told: TopologyReport | undefined = object.kind === topologyReports.kind ? object : report;
  const { published, declared, seen } = told?.status ?? {};
  if (told === undefined || published === undefined) return undefined;
  const asDeclared = worst([edgeOf(told, "Published"), edgeOf(told, "Unaltered")]);
  const counted = seen === undefined ? [] : countedNodes(seen, published, edgeOf(told, "MatchesCluster"));
  // What does not fit and is not about the Nodes is about the replicas that are declared today.
  const misfitsToday = edgeOf(told, "MatchesCluster") === "broken" && counted.every(({ fits }) => fits !== "broken");
  const read = misfitsToday && asDeclared === "open" ? "broken" : asDeclared;
  const readWord = read === asDeclared ? publishedWords[asDeclared] : "does not fit what is declared today";
  const source = declared?.source === undefined ? {} : { note: declared.source };
  return {
    reach: { health: healths[asDeclared], words: wordsOf(published) },
    columns: [
      ...(declared === undefined
        ? []
        : [
            {
              title: "Declared",
              nodes: [{ ...pairNode("declared", declared, "healthy", "as recorded at installation"), ...source }],
            },
          ]),
      { title: "Operators read", nodes: [pairNode("published", published, healths[read], readWord)] },
      ...(seen === undefined ? [] : [{ title: "Nodes", nodes: counted.map(({ node }) => node) }]),
    ],
    edges: [
      ...(declared === undefined ? [] : [{ from: "declared", to: "published", state: asDeclared }]),
      ...counted.map(({ node, fits }) => ({ from: "published", to: node.id, state: fits })),
    ],
  };
}

type Seen = NonNullable<NonNullable<TopologyReport["status"]>["seen"]>;

interface CountedNodes {
  readonly node: PictureNode;
  readonly fits: EdgeState;
}

function countedNodes(seen: Seen, published: TopologyText, matches: EdgeState): readonly CountedNodes[] {
  const { controlPlaneNodes: controlPlane, workerNodes: workers, arbiterNodes: arbiters } = seen;
  const { controlPlaneTopology = "", infrastructureTopology = "" } = published;
  const pair = {
    controlPlane: controlPlaneTopology || defaultTopology,
    infrastructure: infrastructureTopology || defaultTopology,
  };
  const wrong = misfits(pair, { controlPlane, workers, arbiters }, "nodes").map(({ field }) =>
    // Without workers the control-plane nodes do their work.
    field === "infrastructure" && workers > 0 ? "worker" : "control-plane",
  );
  const one = (role: string, count: number): CountedNodes => {
    const fits = matches !== "broken" ? matches : wrong.some((part) => part === role) ? "broken" : "open";
    return { node: nodes(role, count, fits), fits };
  };
  return [
    one("control-plane", controlPlane),
    ...(arbiters === 0 ? [] : [one("arbiter", arbiters)]),
    one("worker", workers),
  ];
}

const healths: Readonly<Record<EdgeState, Health>> = {
  open: "healthy",
  broken: "degraded",
  closed: "progressing",
  unknown: "unknown",
};
const publishedWords: Readonly<Record<EdgeState, string>> = {
  open: "as declared",
  broken: "not as declared",
  closed: "not published yet",
  unknown: "not known",
};

function wordsOf({ controlPlaneTopology = "", infrastructureTopology = "" }: TopologyText): string {
  if (controlPlaneTopology === "" && infrastructureTopology === "") return "Operators read no topology yet.";
  return controlPlaneTopology === infrastructureTopology
    ? `Operators read ${controlPlaneTopology}.`
    : `Operators read ${controlPlaneTopology || "nothing"} for the control plane and ${infrastructureTopology || "nothing"} for all other nodes.`;
}

function pairNode(
  id: string,
  { controlPlaneTopology, infrastructureTopology }: TopologyText,
  health: Health,
  word: string,
) {
  const values = [...new Set([controlPlaneTopology, infrastructureTopology].map((value) => value || "nothing"))];
  return { id, name: values.join(" / "), health, word };
}

function nodes(role: string, count: number, fits: EdgeState): PictureNode {
  const word = fits === "broken" ? "does not fit" : fits === "unknown" ? "not compared" : "fits";
  return { id: role, name: `${count} ${role} ${count === 1 ? "node" : "nodes"}`, health: healths[fits], word };
}

function edgeOf(report: TopologyReport, type: Condition["type"]): EdgeState {
  const status = conditionsOf(report).find((condition) => condition.type === type)?.status;
  return status === "True" ? "open" : status === "False" ? "broken" : "unknown";
}

function worst(states: readonly EdgeState[]): EdgeState {
  return states.includes("broken") ? "broken" : states.includes("unknown") ? "unknown" : "open";
}
