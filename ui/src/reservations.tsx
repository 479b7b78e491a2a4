import { useEffect, useState } from "preact/hooks";
import { get, post, type Plan } from "./api";
import { percent, when } from "./amounts";
import { useStore } from "./store";
import { Table } from "./table";

function PlanView(props: { plan: Plan }) {
  const { plan } = props;
  const value = (of: Record<string, number>) =>
    plan.resourceType in of ? `${of[plan.resourceType].toFixed(0)} %` : "";
  const done = plan.moves.filter((move) => move.state === "Succeeded").length;
  return (
    <div class="detail">
      <h3>
        Plan {plan.id}: {plan.state}
        {plan.dryRun && " (only a plan)"}
      </h3>
      <p>
        {plan.moves.length} moves would free {plan.freed.nodes.length} nodes; fragmentation of{" "}
        {plan.resourceType} {percent(plan.fragmentation.before[plan.resourceType] ?? 0)} before,{" "}
        {percent(plan.fragmentation.after[plan.resourceType] ?? 0)} after.
      </p>
      {!plan.dryRun && (
        <p role="status">
          {done} of {plan.moves.length} moves done{" "}
          <progress aria-label="Moves done" max={plan.moves.length} value={done} />
        </p>
      )}
      <Table
        caption="Nodes before and after"
        rows={plan.nodes}
        keyOf={(node) => node.name}
        empty="The plan looks at no node."
        columns={[
          { title: "Node", cell: (node) => node.name },
          { title: "Part", cell: (node) => node.role },
          { title: "Before", cell: (node) => value(node.before) },
          { title: "After", cell: (node) => value(node.after) },
        ]}
      />
      <Table
        caption="Moves"
        rows={plan.moves}
        keyOf={(move) => `${move.namespace}/${move.pod}`}
        empty="Nothing is to be moved."
        columns={[
          { title: "Pod", cell: (move) => `${move.namespace}/${move.pod}` },
          { title: "From", cell: (move) => move.from },
          { title: "To", cell: (move) => move.to },
          { title: "State", cell: (move) => move.state },
          { title: "Says", cell: (move) => move.message },
        ]}
      />
      <Table
        caption="What blocks"
        rows={plan.blocked}
        keyOf={(row) => `${row.node} ${row.namespace}/${row.pod}`}
        empty="Nothing is in the way."
        columns={[
          { title: "Node", cell: (row) => row.node },
          { title: "Pod", cell: (row) => (row.pod ? `${row.namespace}/${row.pod}` : "") },
          { title: "Reason", cell: (row) => row.reason },
          { title: "Says", cell: (row) => row.message },
        ]}
      />
    </div>
  );
}

function Defragmentation() {
  const { person } = useStore();
  const [plan, setPlan] = useState<Plan | null>(null);
  const [state, setState] = useState("");
  const [sure, setSure] = useState(false);
  const ask = (dryRun: boolean) => {
    setState("…");
    setSure(false);
    post<Plan>("defragmentation", { dryRun }).then(
      (found) => {
        setPlan(found);
        setState("");
      },
      (error: Error) => setState(error.message),
    );
  };
  useEffect(() => {
    if (!plan || plan.dryRun || plan.state !== "Running") return;
    const timer = setInterval(
      () => get<Plan>(`defragmentation/${encodeURIComponent(plan.id)}`).then(setPlan, () => undefined),
      1000,
    );
    return () => clearInterval(timer);
  }, [plan?.id, plan?.state]);
  return (
    <>
      <h2>Defragmentation</h2>
      <div class="controls">
        <button type="button" onClick={() => ask(true)} disabled={state === "…"}>
          Make a plan
        </button>
        {plan && plan.dryRun && plan.moves.length > 0 && person?.mayDefragment && !sure && (
          <button type="button" onClick={() => setSure(true)}>
            Run it
          </button>
        )}
        {sure && (
          <span role="alertdialog" aria-label="Run the plan">
            {plan!.moves.length} pods will be evicted and made anew elsewhere.{" "}
            <button type="button" class="danger" onClick={() => ask(false)}>
              Evict them
            </button>{" "}
            <button type="button" onClick={() => setSure(false)}>
              Leave it
            </button>
          </span>
        )}
      </div>
      {state && <p role="status">{state}</p>}
      {plan && <PlanView plan={plan} />}
    </>
  );
}

export function Reservations() {
  const { overview } = useStore();
  return (
    <section aria-labelledby="reservations-title">
      <h1 id="reservations-title">Reservations and defragmentation</h1>
      <Table
        caption="Reservations"
        rows={overview!.reservations}
        keyOf={(row) => `${row.namespace}/${row.name}`}
        empty="There are no reservations."
        columns={[
          { title: "Reservation", cell: (row) => `${row.namespace}/${row.name}` },
          { title: "Phase", cell: (row) => row.phase },
          { title: "Queue", cell: (row) => row.queue },
          { title: "Places", cell: (row) => `${row.placed} of ${row.slots}` },
          { title: "Nodes", cell: (row) => row.nodes.join(", ") + (row.placed > row.nodes.length ? ", …" : "") },
          { title: "Ends", cell: (row) => when(row.ends) || "never" },
          { title: "Says", cell: (row) => row.message },
        ]}
      />
      <Defragmentation />
    </section>
  );
}
