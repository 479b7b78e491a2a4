import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get, type NodeDetail, type NodeRow } from "./api";
import { formatAmount, listAmounts, percent } from "./amounts";
import { cellAt, draw, layOut, usedPart } from "./grid";
import { useStore } from "./store";
import { Table } from "./table";

function describe(node: NodeRow, resources: string[]): string {
  const state = !node.ready ? "not ready" : node.cordoned ? "cordoned" : "ready";
  const amounts = resources.map(
    (name, i) => `${name} ${formatAmount(name, node.used[i])} of ${formatAmount(name, node.allocatable[i])}`,
  );
  return `${node.name}: ${state}, ${node.pods} pods, ${amounts.join(", ")}`;
}

const ASK_AGAIN = 5000; // milliseconds

function Detail(props: { name: string; version: number }) {
  const [detail, setDetail] = useState<NodeDetail | null>(null);
  const [problem, setProblem] = useState("");
  const asked = useRef({ name: "", at: 0 });
  useEffect(() => {
    let current = true;
    // Each answer is worked out by the scheduler: not with every change of a busy cluster.
    const again = asked.current.name === props.name;
    const wait = again ? Math.max(0, asked.current.at + ASK_AGAIN - Date.now()) : 0;
    const timer = setTimeout(() => {
      asked.current = { name: props.name, at: Date.now() };
      get<NodeDetail>(`nodes/${encodeURIComponent(props.name)}`).then(
        (found) => {
          if (found.name !== asked.current.name) return; // another was chosen meanwhile
          setDetail(found);
          setProblem("");
        },
        (error: Error) => current && setProblem(error.message),
      );
    }, wait);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [props.name, props.version]);
  if (problem) return <p role="alert">{problem}</p>;
  if (!detail || detail.name !== props.name) return <p>…</p>;
  return (
    <>
      {detail.taints.length > 0 && <p>Taints: {detail.taints.join(", ")}</p>}
      {detail.podsTotal > detail.pods.length && (
        <p>
          The first {detail.pods.length} of {detail.podsTotal} pods are shown.
        </p>
      )}
      <Table
        caption={`Pods on ${detail.name}`}
        rows={detail.pods}
        keyOf={(pod) => `${pod.namespace}/${pod.name}`}
        empty="No pods are on it."
        columns={[
          { title: "Pod", cell: (pod) => `${pod.namespace}/${pod.name}` },
          { title: "Status", cell: (pod) => pod.status },
          { title: "Queue", cell: (pod) => pod.queue },
          { title: "Requests", cell: (pod) => listAmounts(pod.requests) },
        ]}
      />
      <Table
        caption={`Pods that wait, and why ${detail.name} does not take them`}
        rows={detail.waiting}
        keyOf={(pod) => `${pod.namespace}/${pod.name}`}
        empty="No pod waits."
        columns={[
          { title: "Pod", cell: (pod) => `${pod.namespace}/${pod.name}` },
          { title: "Requests", cell: (pod) => listAmounts(pod.requests) },
          { title: "Why not here", cell: (pod) => (pod.fits ? "it fits here" : pod.why) },
        ]}
      />
    </>
  );
}

export function Cluster() {
  const { overview } = useStore();
  const [resource, setResource] = useState(0);
  const [grouping, setGrouping] = useState("");
  const [filter, setFilter] = useState("");
  const [selected, setSelected] = useState("");
  const [width, setWidth] = useState(800);
  const canvas = useRef<HTMLCanvasElement>(null);
  const resources = overview!.resources;

  useEffect(() => {
    const measure = () => setWidth(canvas.current?.clientWidth ?? 800);
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);

  const nodes = overview!.nodes;
  const shown = useMemo(
    () => (filter ? nodes.filter((node) => node.name.includes(filter)) : nodes),
    [nodes, filter],
  );
  const grid = useMemo(
    () =>
      layOut(
        shown,
        grouping === "zone" ? (node) => node.zone : grouping === "pool" ? (node) => node.pool : null,
        width,
      ),
    [shown, grouping, width],
  );
  useEffect(() => {
    if (canvas.current) draw(canvas.current, grid, resource, selected);
  });

  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: grid.columns, ArrowUp: -grid.columns }[event.key];
    if (step === undefined || grid.cells.length === 0) return;
    event.preventDefault();
    const at = grid.cells.findIndex((cell) => cell.node.name === selected);
    const next = at < 0 ? 0 : Math.min(grid.cells.length - 1, Math.max(0, at + step));
    setSelected(grid.cells[next].node.name);
  };
  const total = (amounts: (node: NodeRow) => number[]) =>
    nodes.reduce((sum, node) => sum + (amounts(node)[resource] ?? 0), 0);
  const all = total((node) => node.allocatable);
  const chosen = selected ? nodes.find((node) => node.name === selected) : undefined;

  return (
    <section aria-labelledby="cluster-title">
      <h1 id="cluster-title">Cluster</h1>
      <p>
        {nodes.length} nodes, {resources[resource] ?? "cpu"}:{" "}
        {formatAmount(resources[resource], total((node) => node.used))} of{" "}
        {formatAmount(resources[resource], all)} used
        {all > 0 && ` (${percent(total((node) => node.used) / all)})`}
      </p>
      <div class="controls">
        <label>
          Resource{" "}
          <select value={resource} onChange={(e) => setResource(Number(e.currentTarget.value))}>
            {resources.map((name, i) => (
              <option value={i}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Group by{" "}
          <select value={grouping} onChange={(e) => setGrouping(e.currentTarget.value)}>
            <option value="">nothing</option>
            <option value="zone">zone</option>
            <option value="pool">pool</option>
          </select>
        </label>
        <label>
          Name has{" "}
          <input value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />
        </label>
      </div>
      <ul class="legend" aria-label="Colours">
        <li class="used">used</li>
        <li class="reserved">reserved</li>
        <li class="promised">promised</li>
        <li class="off">cordoned or not ready</li>
      </ul>
      <canvas
        ref={canvas}
        class="grid"
        style={{ height: `${grid.height}px` }}
        tabIndex={0}
        role="img"
        aria-label={`${shown.length} nodes as cells; arrow keys choose one. ${
          chosen ? describe(chosen, resources) : "None is chosen."
        }`}
        onKeyDown={move}
        onClick={(event) => {
          const cell = cellAt(grid, event.offsetX, event.offsetY);
          if (cell) setSelected(cell.node.name);
        }}
        data-selected={selected}
      />
      <p aria-live="polite">{chosen ? describe(chosen, resources) : "Choose a node to see its pods."}</p>
      {chosen && <Detail name={chosen.name} version={overview!.version.generation} />}
      <details>
        <summary>As a table</summary>
        <Table
          caption="Nodes"
          rows={shown}
          keyOf={(node) => node.name}
          empty="There is no such node."
          columns={[
            {
              title: "Node",
              cell: (node) => (
                <button type="button" class="link" onClick={() => setSelected(node.name)}>
                  {node.name}
                </button>
              ),
            },
            { title: "State", cell: (node) => (!node.ready ? "not ready" : node.cordoned ? "cordoned" : "ready") },
            { title: "Used", cell: (node) => percent(usedPart(node, resource)) },
            { title: "Pods", cell: (node) => node.pods },
            { title: "Zone", cell: (node) => node.zone },
            { title: "Pool", cell: (node) => node.pool },
          ]}
        />
      </details>
    </section>
  );
}
