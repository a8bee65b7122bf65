// How an object works: columns from clients to what answers them with the ways between them; a tree where there is no room for columns.
// Draws the picture of any job.

import type { EdgeState, Picture, PictureNode } from "../../core/views/picture.ts";
import { type PictureBranch, pictureTree } from "../../core/views/picture-tree.ts";
import { type GutterLine, pictureGutters } from "../picture-gutters.ts";
import { healthNames } from "../words/health.ts";
import { healthTones } from "../words/results.ts";
import { HealthIcon } from "./mark.tsx";
import { PageLink } from "./page-link.tsx";
import { Panel } from "./panel.tsx";

export function PicturePanel({ picture }: { readonly picture: Picture }) {
  const { health, words } = picture.reach;
  return (
    <div className="picture">
      <Panel title="At a glance">
        <p className="reach" data-tone={healthTones[health]}>
          <HealthIcon health={health} /> {words}
        </p>
        <Columns picture={picture} />
        <Tree branches={pictureTree(picture)} />
        <Legend picture={picture} />
      </Panel>
    </div>
  );
}

function Columns({ picture }: { readonly picture: Picture }) {
  const gutters = pictureGutters(picture);
  return (
    <div className="picture-columns">
      {picture.columns.map(({ title, nodes }, index) => (
        <div key={title} className="picture-pair">
          {index === 0 ? null : <Gutter lines={gutters[index - 1] ?? []} />}
          <div className="picture-column">
            <h3>{title}</h3>
            <ul aria-label={title}>
              {nodes.map((node) => (
                <li key={node.id}>
                  <Node node={node} />
                </li>
              ))}
            </ul>
          </div>
        </div>
      ))}
    </div>
  );
}

const height = 1_000;
const width = 100;

/** Screen readers are told the same by the words of the nodes. */
function Gutter({ lines }: { readonly lines: readonly GutterLine[] }) {
  return (
    <div className="picture-gutter" aria-hidden="true">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
        {lines.map(({ key, from, to, state }) => (
          <path
            key={key}
            data-edge={state}
            d={`M0,${from * height} C${width / 2},${from * height} ${width / 2},${to * height} ${width},${to * height}`}
          />
        ))}
      </svg>
      {lines
        .filter(({ state }) => state === "broken")
        .map(({ key, from, to }) => (
          <span key={key} className="edge-break" style={{ top: `${((from + to) / 2) * 100}%` }}>
            <svg viewBox="0 0 16 16" width="16" height="16">
              <path d="M4 4l8 8M12 4l-8 8" />
            </svg>
          </span>
        ))}
    </div>
  );
}

function Tree({ branches }: { readonly branches: readonly PictureBranch[] }) {
  return (
    <ul className="picture-tree">
      {branches.map((branch) => (
        <li key={branch.node.id} data-edge={branch.edge}>
          <Node node={branch.node} edge={branch.edge} />
          {branch.branches.length === 0 ? null : <Tree branches={branch.branches} />}
        </li>
      ))}
    </ul>
  );
}

function Node({ node, edge }: { readonly node: PictureNode; readonly edge?: EdgeState | undefined }) {
  const { name, exact, health, word, note, ident, object } = node;
  const shown = <span className={exact === true ? "exact" : undefined}>{name}</span>;
  return (
    <div className="picture-node" data-tone={healthTones[health]}>
      <span className="picture-name">
        <HealthIcon health={health} />
        <span className="visually-hidden">{healthNames[health]}: </span>
        {object === undefined ? shown : <PageLink to={{ page: "object", object }}>{shown}</PageLink>}
      </span>
      <span className="picture-words">
        <span className="picture-word">{word}</span>
        {note === undefined ? null : <span className="picture-note"> · {note}</span>}
        {ident === undefined ? null : <span className="picture-ident">{ident}</span>}
      </span>
      {edge === "broken" ? <span className="visually-hidden">, the way there is broken</span> : null}
    </div>
  );
}

const legend: Readonly<Record<Exclude<EdgeState, "open">, string>> = {
  broken: "broken: clients do not get through",
  closed: "closed: nobody is sent this way",
  unknown: "not known",
};

/** Explains the lines that need it: one that is drawn through does not. */
function Legend({ picture: { edges } }: { readonly picture: Picture }) {
  const states = (["broken", "closed", "unknown"] as const).filter((state) =>
    edges.some((edge) => edge.state === state),
  );
  if (states.length === 0) return null;
  return (
    <ul className="picture-legend small soft" aria-label="Lines">
      {states.map((state) => (
        <li key={state}>
          <svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true">
            <path data-edge={state} d="M0,4 L28,4" />
          </svg>{" "}
          {legend[state]}
        </li>
      ))}
    </ul>
  );
}
