// Amounts as Kubernetes writes them, and as people read them.
const SUFFIXES: Record<string, number> = {
  n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18,
  Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60,
};

export function parseQuantity(text: string | undefined): number {
  const parts = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)([a-zA-Z]*)$/.exec(text ?? "");
  if (!parts) return 0;
  return Number(parts[1]) * (parts[2] ? (SUFFIXES[parts[2]] ?? 1) : 1);
}

export function formatAmount(resource: string, amount: number): string {
  if (resource === "memory" || resource.endsWith("storage")) {
    const units = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];
    let unit = 0;
    while (Math.abs(amount) >= 1024 && unit < units.length - 1) {
      amount /= 1024;
      unit += 1;
    }
    return `${round(amount)}${units[unit]}`;
  }
  return round(amount);
}

function round(amount: number): string {
  return Number.isInteger(amount) ? String(amount) : amount.toFixed(amount < 10 ? 2 : 1);
}

export function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

export function listAmounts(amounts: Record<string, string>): string {
  return Object.entries(amounts)
    .filter(([name]) => name !== "pods")
    .map(([name, amount]) => `${name} ${amount}`)
    .join(", ");
}

export function when(time: string | null): string {
  return time ? new Date(time).toLocaleTimeString() : "";
}
