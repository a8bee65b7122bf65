// The parts of an object: a row for each with its health; on narrow screens a card for each.

import type { PartCell, PartRow, PartsCount, PartsTable } from "../../core/views/object-view.ts";
import { partsInWords } from "../words/parts.ts";
import type { Tone } from "../words/results.ts";
import { HealthMark } from "./mark.tsx";
import { Panel } from "./panel.tsx";
import { Pips } from "./pips.tsx";

export interface PartsPanelProps {
  readonly table: PartsTable;
  readonly count: PartsCount | undefined;
}

export function PartsPanel({ table, count }: PartsPanelProps) {
  const { title, nameColumn, columns, rows, others = [] } = table;
  return (
    <div className="parts">
      <Panel title={title} aside={count === undefined ? undefined : partsInWords(count)}>
        <table>
          <thead>
            <tr>
              {[nameColumn, "Health", ...columns].map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...rows, ...others].map((row, index) => (
              <Part key={`${index} ${row.name}`} row={row} columns={columns} />
            ))}
          </tbody>
        </table>
      </Panel>
    </div>
  );
}

function Part({ row, columns }: { readonly row: PartRow; readonly columns: readonly string[] }) {
  return (
    <tr>
      <th scope="row">{row.name}</th>
      <td className="part-health">
        <HealthMark health={row.health} ofPart />
      </td>
      {columns.map((column, index) => (
        <Cell key={column} column={column} cell={row.cells[index] ?? { text: "" }} />
      ))}
    </tr>
  );
}

function Cell({
  column,
  cell: { text, note, exact, share, odd },
}: {
  readonly column: string;
  readonly cell: PartCell;
}) {
  return (
    <td data-label={column} data-odd={odd === true}>
      <span className={exact === true ? "exact" : undefined}>
        {share === undefined ? null : <Pips tones={tonesOf(share, odd === true)} />}
        {text}
      </span>
      {note === undefined ? null : <span className="part-note">{note}</span>}
    </td>
  );
}

function tonesOf({ good, total }: NonNullable<PartCell["share"]>, odd: boolean): readonly Tone[] {
  return Array.from({ length: total }, (_, index) => (index < good ? "good" : odd ? "bad" : "wait"));
}
