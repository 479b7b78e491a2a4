import { when } from "./amounts";
import { useStore } from "./store";
import { Table } from "./table";

export function Evictions() {
  const { overview } = useStore();
  return (
    <section aria-labelledby="evictions-title">
      <h1 id="evictions-title">Evictions and promises</h1>
      <p>{overview!.cyclesBroken} evictions were not made since they would have gone round in a circle.</p>
      <Table
        caption="Who went for whom, the last first"
        rows={overview!.evictions}
        keyOf={(row) => `${row.namespace}/${row.name} ${row.time} ${row.forName}`}
        empty="Nobody was evicted lately."
        columns={[
          { title: "Pod", cell: (row) => `${row.namespace}/${row.name}` },
          { title: "Went for", cell: (row) => (row.forNamespace ? `${row.forNamespace}/${row.forName}` : row.forName) },
          { title: "At", cell: (row) => when(row.time) },
        ]}
      />
      <Table
        caption="Promises: nodes that pods get once others have left"
        rows={overview!.promises}
        keyOf={(row) => `${row.namespace}/${row.name}`}
        empty="Nothing is promised."
        columns={[
          { title: "Pod", cell: (row) => `${row.namespace}/${row.name}` },
          { title: "Node", cell: (row) => row.node },
          { title: "Holds until", cell: (row) => when(row.until) || "–" },
        ]}
      />
    </section>
  );
}
