import { useEffect, useState } from "preact/hooks";
import { get, type Explanation, type QueueRow } from "./api";
import { formatAmount, parseQuantity } from "./amounts";
import { useStore } from "./store";

// The whole bar is what the queue may have; where it may have all, what the nodes have.
function Bar(props: { queue: QueueRow; resource: string; all: number }) {
  const { queue, resource } = props;
  const amount = (list: Record<string, string>) => parseQuantity(list[resource]);
  const limit = resource in queue.capability ? amount(queue.capability) : props.all;
  const scale = Math.max(limit, amount(queue.allocated) + amount(queue.claimed), 1e-9);
  const width = (value: number) => `${Math.min(100, (100 * value) / scale)}%`;
  const text = [
    `allocated ${formatAmount(resource, amount(queue.allocated))}`,
    `claimed ${formatAmount(resource, amount(queue.claimed))}`,
    resource in queue.deserved ? `deserved ${formatAmount(resource, amount(queue.deserved))}` : "",
    resource in queue.guarantee ? `guaranteed ${formatAmount(resource, amount(queue.guarantee))}` : "",
    resource in queue.capability ? `limit ${formatAmount(resource, limit)}` : "no limit of its own",
  ]
    .filter(Boolean)
    .join(", ");
  return (
    <div class="bar" role="img" aria-label={text} title={text}>
      <span class="used" style={{ width: width(amount(queue.allocated)) }} />
      <span class="promised" style={{ width: width(amount(queue.claimed)) }} />
      {resource in queue.deserved && <i class="deserved" style={{ left: width(amount(queue.deserved)) }} />}
      {resource in queue.guarantee && <i class="guarantee" style={{ left: width(amount(queue.guarantee)) }} />}
    </div>
  );
}

function QueueDetail(props: { name: string }) {
  const [found, setFound] = useState<Explanation | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    setFound(null);
    setProblem("");
    get<Explanation>(`explain/queue/${encodeURIComponent(props.name)}`).then(setFound, (error: Error) =>
      setProblem(error.message),
    );
  }, [props.name]);
  if (problem) return <p role="alert">{problem}</p>;
  if (!found) return <p>…</p>;
  return (
    <div class="detail">
      <h2>Queue {props.name}</h2>
      <p>{found.message || "Nothing waits in it."}</p>
      {found.change && <p>What helps the next: {found.change}</p>}
      {found.queue && found.queue.holders.length > 0 && (
        <>
          <h3>Who holds {found.queue.resource || "it"}</h3>
          <ul>
            {found.queue.holders.map((holder) => (
              <li>
                {holder.namespace}/{holder.name}: {holder.amount}
              </li>
            ))}
          </ul>
        </>
      )}
      {(found.waiting?.length ?? 0) > 0 && (
        <>
          <h3>Who waits, in their order ({found.waitingTotal})</h3>
          <ol>
            {found.waiting!.map((one) => (
              <li>
                {one.namespace}/{one.name}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

export function Queues() {
  const { overview } = useStore();
  const [resource, setResource] = useState(0);
  const [chosen, setChosen] = useState("");
  const [most, setMost] = useState(200);
  const name = overview!.resources[resource] ?? "cpu";
  const all = overview!.nodes.reduce((sum, node) => sum + (node.allocatable[resource] ?? 0), 0);
  const children = new Map<string, QueueRow[]>();
  const names = new Set(overview!.queues.map((queue) => queue.name));
  for (const queue of overview!.queues) {
    const parent = names.has(queue.parent) ? queue.parent : "";
    const siblings = children.get(parent);
    if (siblings) siblings.push(queue);
    else children.set(parent, [queue]);
  }
  const rows: { queue: QueueRow; depth: number }[] = [];
  const seen = new Set<string>();
  const walk = (parent: string, depth: number) => {
    for (const queue of children.get(parent) ?? []) {
      if (seen.has(queue.name)) continue; // parents that form a cycle
      seen.add(queue.name);
      rows.push({ queue, depth });
      walk(queue.name, depth + 1);
    }
  };
  walk("", 0);
  for (const queue of overview!.queues) if (!seen.has(queue.name)) rows.push({ queue, depth: 0 });

  return (
    <section aria-labelledby="queues-title">
      <h1 id="queues-title">Queues</h1>
      <div class="controls">
        <label>
          Resource{" "}
          <select value={resource} onChange={(e) => setResource(Number(e.currentTarget.value))}>
            {overview!.resources.map((each, i) => (
              <option value={i}>{each}</option>
            ))}
          </select>
        </label>
      </div>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Queues">
        <table>
          <caption>The tree of queues</caption>
          <thead>
            <tr>
              {["Queue", "State", name, "Allocated", "Claims", "Deserved", "Limit", "Waiting pods"].map((title) => (
                <th scope="col">{title}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map(({ queue, depth }) => (
              <tr key={queue.name}>
                <th scope="row" class={`depth-${Math.min(depth, 8)}`}>
                  <button type="button" class="link" onClick={() => setChosen(queue.name)}>
                    {queue.name}
                  </button>
                </th>
                <td>{queue.state}</td>
                <td>
                  <Bar queue={queue} resource={name} all={all} />
                </td>
                <td>{queue.allocated[name] ?? "0"}</td>
                <td>{queue.claimed[name] ?? "0"}</td>
                <td>{queue.deserved[name] ?? "–"}</td>
                <td>{queue.capability[name] ?? "–"}</td>
                <td>{queue.waitingPods}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > most && (
          <button type="button" onClick={() => setMost(most + 500)}>
            {rows.length - most} more
          </button>
        )}
      </div>
      {chosen && <QueueDetail name={chosen} />}
    </section>
  );
}
