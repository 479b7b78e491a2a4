// What the page knows, and who is told when that changes.
import { useEffect, useReducer } from "preact/hooks";
import { Refused, stream, type NodeRow, type Overview } from "./api";

export interface Person {
  name: string;
  everything: boolean;
  mayDefragment: boolean;
}

export const store = {
  overview: null as Overview | null,
  nodes: new Map<string, NodeRow>(),
  person: null as Person | null,
  problem: "",
  refused: false,
};

const listeners = new Set<() => void>();
let planned = false;
// Several changes that come together are drawn once.
function changed(): void {
  if (planned) return;
  planned = true;
  requestAnimationFrame(() => {
    planned = false;
    for (const listener of listeners) listener();
  });
}

export function useStore(): typeof store {
  const [, update] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const listener = () => update(undefined as never);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return store;
}

function sortNodes(): void {
  store.overview!.nodes = [...store.nodes.values()].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
  );
}

interface Changes extends Partial<Overview> {
  nodesChanged?: NodeRow[];
  nodesGone?: string[];
}

function told(event: string, data: unknown): void {
  if (event === "person") store.person = data as Person;
  if (event === "problem") store.problem = (data as { message: string }).message;
  if (event === "whole") {
    store.overview = data as Overview;
    store.nodes = new Map(store.overview.nodes.map((node) => [node.name, node]));
    store.problem = "";
  }
  if (event === "change" && store.overview) {
    const { nodesChanged, nodesGone, ...others } = data as Changes;
    const before = store.nodes.size;
    for (const name of nodesGone ?? []) store.nodes.delete(name);
    for (const node of nodesChanged ?? []) {
      const known = store.nodes.get(node.name);
      if (known) Object.assign(known, node);
      else store.nodes.set(node.name, node);
    }
    Object.assign(store.overview, others);
    if (nodesGone?.length || store.nodes.size !== before) sortNodes();
    store.problem = "";
  }
  changed();
}

let current: AbortController | null = null;
// Follows the scheduler for as long as the page is open; waits longer each time it fails.
export async function follow(): Promise<void> {
  current?.abort();
  const mine = (current = new AbortController());
  let pause = 500;
  while (!mine.signal.aborted) {
    try {
      store.refused = false;
      await stream(mine.signal, (event, data) => {
        pause = 500;
        told(event, data);
      });
      store.problem = "the connection ended; connecting again";
    } catch (error) {
      if (mine.signal.aborted) return;
      if (error instanceof Refused && error.status === 401) {
        store.refused = true;
        store.overview = null;
        changed();
        return;
      }
      store.problem = error instanceof Error ? error.message : String(error);
    }
    changed();
    await new Promise((done) => setTimeout(done, pause));
    pause = Math.min(pause * 2, 10_000);
  }
}
