// One object in a list: its health, its name and its sentence.

import type { ObjectSummary } from "../../core/views/object-view.ts";
import { HealthMark } from "./mark.tsx";
import { Moment } from "./moment.tsx";
import { PageLink } from "./page-link.tsx";
import { PartsLine } from "./parts-line.tsx";

export interface ObjectRowProps {
  readonly object: ObjectSummary;
  /** In lists of several kinds. */
  readonly withKind?: boolean;
}

export function ObjectRow({ object, withKind = false }: ObjectRowProps) {
  const { id, health, sentence, since, deleting, parts, reach } = object;
  return (
    <li className="object-row">
      <HealthMark health={health} />
      <div className="object-words">
        <PageLink to={{ page: "object", object: id }} className="object-name">
          {id.namespace === undefined ? id.name : `${id.namespace}/${id.name}`}
        </PageLink>
        {withKind ? <span className="small soft"> {id.kind}</span> : null}
        <p>
          {deleting ? <strong>Is being deleted. </strong> : null}
          {sentence}
        </p>
        {health === "healthy" || reach === undefined ? null : <p>{reach.words}</p>}
        {parts === undefined ? null : <PartsLine count={parts} />}
      </div>
      <span className="object-since small soft">{since === undefined ? null : <Moment time={since} />}</span>
    </li>
  );
}
