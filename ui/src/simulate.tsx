// A question what would be, and its answer.
import { useState } from "preact/hooks";
import { post, type QueueRow, type Simulation } from "./api";
import { parseQuantity, percent } from "./amounts";
import { Table } from "./table";

// What an explanation proposes, as the keys of POST simulate; null: it is nothing that can be tried
// by itself.
export function questionFor(change: string, queues: QueueRow[]): Record<string, unknown> | null {
  const question: Record<string, unknown[]> = {};
  const add = (key: string, value: unknown) => (question[key] ??= []).push(value);
  for (let part of change.split("; ")) {
    part = part.replace(/^and /, "");
    let found: RegExpExecArray | null;
    if ((found = /^(one|[0-9]+) more nodes? like (\S+)$/.exec(part))) {
      add("addNodes", { count: found[1] === "one" ? 1 : Number(found[1]), like: found[2] });
    } else if ((found = /^finish or evict pods? (.*)$/.exec(part))) {
      for (const pod of found[1].split(", ")) add("finish", `pod/${pod}`);
    } else if ((found = /^uncordon node (\S+)$/.exec(part))) {
      add("uncordon", found[1]);
    } else if ((found = /^queue (\S+): capability (.*)$/.exec(part))) {
      const limits = queues.find((queue) => queue.name === found![1])?.capability;
      if (!limits) return null;
      for (const more of found[2].split(", ")) {
        const [resource, amount] = more.split(" +");
        const sum = parseQuantity(limits[resource]) + parseQuantity(amount);
        add("set", `queue/${found[1]}.capability.${resource}=${Math.round(sum * 1000)}m`);
      }
    } else if ((found = /^(one|[0-9]+) more nodes? with room for (.*?)( each)?$/.exec(part))) {
      const amounts = roomIn(found[2]);
      if (!amounts) return null;
      for (let i = 0; i < (found[1] === "one" ? 1 : Number(found[1])); ++i) add("objects", madeUpNode(i, amounts));
    } else {
      return null;
    }
  }
  return Object.keys(question).length > 0 ? question : null;
}

// "cpu 900, memory 4Gi"; null: there is more to it.
function roomIn(text: string): Record<string, string> | null {
  const amounts: Record<string, string> = { pods: "110" };
  for (const part of text.split(", ")) {
    const found = /^(\S+) ([0-9]\S*)$/.exec(part);
    if (!found) return null;
    amounts[found[1]] = found[2];
  }
  return amounts;
}

function madeUpNode(number: number, allocatable: Record<string, string>): unknown {
  const name = `simulated-node-${number + 1}`;
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name } },
    status: { allocatable, capacity: allocatable, conditions: [{ type: "Ready", status: "True" }] },
  };
}

export function SimulationResult(props: { answer: Simulation }) {
  const { answer } = props;
  const pods = [...answer.pods, ...answer.others];
  return (
    <>
      <p role="status">
        {answer.waiting} of {answer.pods.length} pods would wait, as of{" "}
        {new Date(answer.version.time).toLocaleTimeString()}.
      </p>
      <Table
        caption="What would become of each"
        rows={pods}
        keyOf={(pod) => `${pod.namespace}/${pod.name}`}
        empty="No pod would be otherwise."
        columns={[
          { title: "Pod", cell: (pod) => `${pod.namespace}/${pod.name}` },
          { title: "Outcome", cell: (pod) => pod.outcome },
          { title: "Node", cell: (pod) => pod.node ?? "" },
          { title: "Starts", cell: (pod) => (pod.after === undefined ? "" : pod.after < 1 ? "now" : `in ${Math.round(pod.after)} s`) },
          { title: "Why", cell: (pod) => pod.message ?? "" },
        ]}
      />
      <Table
        caption="Who would be evicted"
        rows={answer.evictions}
        keyOf={(row) => `${row.namespace}/${row.name}`}
        empty="Nobody would be evicted."
        columns={[
          { title: "Pod", cell: (row) => `${row.namespace}/${row.name}` },
          { title: "From", cell: (row) => row.node },
          { title: "For", cell: (row) => row.for },
        ]}
      />
      <ul>
        {Object.entries(answer.fragmentation.after).map(([resource, part]) => (
          <li>
            free {resource} on nodes that run pods: {percent(answer.fragmentation.before[resource] ?? 0)} before,{" "}
            {percent(part)} after
          </li>
        ))}
      </ul>
    </>
  );
}

export function SimulateButton(props: { label: string; question: () => Record<string, unknown> }) {
  const [answer, setAnswer] = useState<Simulation | null>(null);
  const [state, setState] = useState("");
  const run = () => {
    setState("…");
    post<Simulation>("simulate", props.question()).then(
      (found) => {
        setAnswer(found);
        setState("");
      },
      (error: Error) => setState(error.message),
    );
  };
  return (
    <div>
      <button type="button" onClick={run} disabled={state === "…"}>
        {props.label}
      </button>
      {state && <p role="status">{state}</p>}
      {answer && <SimulationResult answer={answer} />}
    </div>
  );
}
