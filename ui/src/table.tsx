import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ComponentChildren;
}

// A table of at most so many rows at once; the rest is asked for.
export function Table<Row>(props: {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  empty: string;
}) {
  const [most, setMost] = useState(100);
  if (props.rows.length === 0) return <p class="empty">{props.empty}</p>;
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label={props.caption}>
      <table>
        <caption>{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th scope="col">{column.title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.slice(0, most).map((row) => (
            <tr key={props.keyOf(row)}>
              {props.columns.map((column) => (
                <td>{column.cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {props.rows.length > most && (
        <button type="button" onClick={() => setMost(most + 500)}>
          {props.rows.length - most} more
        </button>
      )}
    </div>
  );
}
