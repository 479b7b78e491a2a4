// The dashboard's API (docs/dashboard-api.md), as this page uses it.

export interface NodeRow {
  name: string;
  ready: boolean;
  cordoned: boolean;
  taints: number;
  zone: string;
  pool: string;
  pods: number;
  allocatable: number[];
  used: number[];
  promised: number[];
  leaving: number[];
  reserved: number[];
}
export type Amounts = Record<string, string>;
export interface QueueRow {
  name: string;
  parent: string;
  state: string;
  weight: number;
  priority: number;
  reclaimable: boolean;
  capability: Amounts;
  deserved: Amounts;
  guarantee: Amounts;
  allocated: Amounts;
  claimed: Amounts;
  pending: number;
  inqueue: number;
  running: number;
  waitingPods: number;
}
export interface WaitingRow {
  namespace: string;
  group: string;
  pod: string;
  queue: string;
  stage: string;
  reason: string;
  message: string;
  pending: number;
  promised: number;
  minMember: number;
  pods: number;
  priority: number;
  created: string;
}
export interface EvictionRow {
  namespace: string;
  name: string;
  forNamespace: string;
  forName: string;
  time: string;
}
export interface PromiseRow {
  namespace: string;
  name: string;
  node: string;
  until: string | null;
}
export interface ReservationRow {
  namespace: string;
  name: string;
  queue: string;
  phase: string;
  slots: number;
  placed: number;
  nodes: string[]; // the first of them
  message: string;
  ends: string | null;
}
export interface Overview {
  version: { generation: number; cycle: number; time: string };
  cycleMilliseconds: number;
  resources: string[];
  nodes: NodeRow[];
  queues: QueueRow[];
  waiting: WaitingRow[];
  waitingGroups: number;
  waitingPods: number;
  waitingByReason: Record<string, number>;
  evictions: EvictionRow[];
  cyclesBroken: number;
  promises: PromiseRow[];
  reservations: ReservationRow[];
}
export interface PodOnNode {
  namespace: string;
  name: string;
  status: string;
  queue: string;
  group: string;
  requests: Amounts;
  fits?: boolean;
  why?: string;
}
export interface NodeDetail {
  name: string;
  taints: string[];
  pods: PodOnNode[];
  podsTotal: number;
  waiting: PodOnNode[];
}
export interface Explanation {
  stage: string;
  reason: string;
  message: string;
  nodes: { reason: string; count: number }[];
  queue: { name: string; resource: string; holders: { namespace: string; name: string; amount: string }[] } | null;
  until: string | null;
  change: string;
  waiting?: { namespace: string; name: string }[];
  waitingTotal?: number;
}
export interface SimulatedPod {
  namespace: string;
  name: string;
  outcome: string;
  node?: string;
  after?: number;
  message?: string;
  change?: string;
}
export interface Simulation {
  waiting: number;
  pods: SimulatedPod[];
  others: SimulatedPod[];
  evictions: { namespace: string; name: string; node: string; for: string; action: string }[];
  fragmentation: { before: Record<string, number>; after: Record<string, number> };
  version: { time: string };
}
export interface Plan {
  id: string;
  state: string;
  dryRun: boolean;
  resourceType: string;
  nodes: { name: string; role: string; before: Record<string, number>; after: Record<string, number> }[];
  moves: { namespace: string; pod: string; from: string; to: string; state: string; message: string }[];
  blocked: { node: string; namespace?: string; pod?: string; reason: string; message: string }[];
  freed: { nodes: string[] };
  fragmentation: { before: Record<string, number>; after: Record<string, number> };
}
export interface HistoryData {
  times: number[];
  allocated: Record<string, number[]>;
  waiting: Record<string, number[]>;
  cycleMilliseconds: number[];
}

// The token comes in the address's fragment, which no server sees, and goes from the address bar at
// once; it is kept for this tab alone.
const KEY = "basalt-token";
export function takeToken(): string {
  const given = /^#token=([A-Za-z0-9._-]+)$/.exec(location.hash);
  if (given) {
    sessionStorage.setItem(KEY, given[1]);
    history.replaceState(null, "", location.pathname + "#cluster");
  }
  return sessionStorage.getItem(KEY) ?? "";
}
export function setToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ""}` };
  const response = await fetch(`/api/v1/${path}`, { ...init, headers, cache: "no-store" });
  if (response.ok) return response;
  let message = `the dashboard answers ${response.status}`;
  try {
    message = ((await response.json()) as { message?: string }).message ?? message;
  } catch {
    // no JSON: the number says it
  }
  throw new Refused(response.status, message);
}

export async function get<T>(path: string): Promise<T> {
  return (await send(path)).json() as Promise<T>;
}
export async function post<T>(path: string, body: unknown): Promise<T> {
  return (await send(path, { method: "POST", body: JSON.stringify(body) })).json() as Promise<T>;
}

// Server-sent events, read by fetch, which unlike EventSource sends a header. Ends when the
// connection does, or throws.
export async function stream(
  signal: AbortSignal,
  told: (event: string, data: unknown) => void,
): Promise<void> {
  const response = await send("stream", { signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = /^event: (\w+)\ndata: (.*)$/s.exec(text.slice(0, end));
      text = text.slice(end + 2);
      if (event) told(event[1], JSON.parse(event[2]));
    }
  }
}
