import { useEffect, useState } from "preact/hooks";
import { get, type Explanation, type WaitingRow } from "./api";
import { questionFor, SimulateButton } from "./simulate";
import { useStore } from "./store";
import { Table } from "./table";

function Why(props: { row: WaitingRow }) {
  const { row } = props;
  const [found, setFound] = useState<Explanation | null>(null);
  const [problem, setProblem] = useState("");
  const key = `${row.namespace}/${row.pod}`;
  useEffect(() => {
    let current = true;
    setFound(null);
    setProblem("");
    get<Explanation>(`explain/pod/${encodeURIComponent(row.namespace)}/${encodeURIComponent(row.pod)}`).then(
      (explanation) => current && setFound(explanation),
      (error: Error) => current && setProblem(error.message),
    );
    return () => void (current = false);
  }, [key]);
  const { overview } = useStore();
  const question = found ? questionFor(found.change, overview!.queues) : null;
  return (
    <div class="detail" data-pod={key}>
      <h2>Why {key} waits</h2>
      {problem && <p role="alert">{problem}</p>}
      {!found && !problem && <p>…</p>}
      {found && (
        <>
          <p>
            <strong>{found.stage}</strong>, {found.reason}: {found.message}
          </p>
          {found.nodes.length > 0 && (
            <ul aria-label="Nodes by reason">
              {found.nodes.map((node) => (
                <li>
                  {node.count} {node.count === 1 ? "node" : "nodes"}: {node.reason}
                </li>
              ))}
            </ul>
          )}
          {found.change && <p class="change">The smallest change that helps: {found.change}</p>}
          {question ? (
            <SimulateButton key={key} label="Simulate this change" question={() => question} />
          ) : (
            <SimulateButton key={key} label="Simulate the next minutes" question={() => ({ untilQuiet: true, horizon: "10m" })} />
          )}
        </>
      )}
    </div>
  );
}

function Choice(props: { label: string; value: string; options: string[]; set: (value: string) => void }) {
  return (
    <label>
      {props.label}{" "}
      <select value={props.value} onChange={(e) => props.set(e.currentTarget.value)}>
        <option value="">all</option>
        {props.options.map((option) => (
          <option value={option}>{option}</option>
        ))}
      </select>
    </label>
  );
}

export function Waiting() {
  const { overview } = useStore();
  const [ns, setNs] = useState("");
  const [queue, setQueue] = useState("");
  const [reason, setReason] = useState("");
  const [chosen, setChosen] = useState("");
  const rows = overview!.waiting;
  const distinct = (pick: (row: WaitingRow) => string) => [...new Set(rows.map(pick))].filter(Boolean).sort();
  const shown = rows.filter(
    (row) => (!ns || row.namespace === ns) && (!queue || row.queue === queue) && (!reason || row.reason === reason),
  );
  const keyOf = (row: WaitingRow) => `${row.namespace}/${row.pod}`;
  const open = rows.find((row) => keyOf(row) === chosen);
  return (
    <section aria-labelledby="waiting-title">
      <h1 id="waiting-title">Waiting</h1>
      <p>
        {overview!.waitingPods} pods of {overview!.waitingGroups} groups wait.
        {rows.length < overview!.waitingGroups && ` The first ${rows.length} groups are shown.`}
      </p>
      <div class="controls">
        <Choice label="Namespace" value={ns} options={distinct((row) => row.namespace)} set={setNs} />
        <Choice label="Queue" value={queue} options={distinct((row) => row.queue)} set={setQueue} />
        <Choice label="Reason" value={reason} options={distinct((row) => row.reason)} set={setReason} />
      </div>
      {open && <Why row={open} />}
      <Table
        caption="Groups and pods that wait"
        rows={shown}
        keyOf={keyOf}
        empty="Nothing waits."
        columns={[
          {
            title: "Group or pod",
            cell: (row) => (
              <button type="button" class="link" aria-expanded={keyOf(row) === chosen} onClick={() => setChosen(keyOf(row) === chosen ? "" : keyOf(row))}>
                {row.namespace}/{row.group || row.pod}
              </button>
            ),
          },
          { title: "Queue", cell: (row) => row.queue },
          { title: "Stage", cell: (row) => row.stage },
          { title: "Reason", cell: (row) => row.reason },
          { title: "Pods", cell: (row) => `${row.pending + row.promised} of ${row.pods}` },
          { title: "Says", cell: (row) => row.message },
        ]}
      />
    </section>
  );
}
