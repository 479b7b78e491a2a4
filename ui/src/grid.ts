// Nodes as cells on a canvas: thousands are drawn in a few milliseconds, and found again by where
// they are.
import type { NodeRow } from "./api";

export interface Cell {
  node: NodeRow;
  x: number;
  y: number;
}
export interface Label {
  text: string;
  y: number;
}
export interface Grid {
  size: number;
  cells: Cell[];
  labels: Label[];
  height: number;
  columns: number;
}

const LABEL = 22;

export function layOut(nodes: NodeRow[], groupOf: ((node: NodeRow) => string) | null, width: number): Grid {
  const size = nodes.length > 2000 ? 12 : nodes.length > 300 ? 18 : 30;
  const columns = Math.max(1, Math.floor(width / size));
  const groups = new Map<string, NodeRow[]>();
  for (const node of nodes) {
    const name = groupOf ? groupOf(node) || "(none)" : "";
    const group = groups.get(name);
    if (group) group.push(node);
    else groups.set(name, [node]);
  }
  const cells: Cell[] = [];
  const labels: Label[] = [];
  let top = 0;
  for (const name of [...groups.keys()].sort()) {
    const members = groups.get(name)!;
    if (groupOf) {
      labels.push({ text: `${name} (${members.length})`, y: top });
      top += LABEL;
    }
    members.forEach((node, i) => {
      cells.push({ node, x: (i % columns) * size, y: top + Math.floor(i / columns) * size });
    });
    top += Math.ceil(members.length / columns) * size + 4;
  }
  return { size, cells, labels, height: top, columns };
}

export function cellAt(grid: Grid, x: number, y: number): Cell | undefined {
  return grid.cells.find(
    (cell) => x >= cell.x && x < cell.x + grid.size && y >= cell.y && y < cell.y + grid.size,
  );
}

function part(amounts: number[], node: NodeRow, resource: number): number {
  const all = node.allocatable[resource] ?? 0;
  return all > 0 ? Math.min(1, (amounts[resource] ?? 0) / all) : 0;
}

export function usedPart(node: NodeRow, resource: number): number {
  return part(node.used, node, resource);
}

export function draw(
  canvas: HTMLCanvasElement,
  grid: Grid,
  resource: number,
  selected: string,
): void {
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const [room, used, promised, reserved, off, line, text] = [
    "--cell-room", "--cell-used", "--cell-promised", "--cell-reserved", "--cell-off", "--accent", "--text",
  ].map(colour);
  const scale = devicePixelRatio || 1;
  canvas.width = Math.floor(canvas.clientWidth * scale);
  canvas.height = Math.floor(grid.height * scale);
  const pen = canvas.getContext("2d")!;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, canvas.clientWidth, grid.height);
  const inner = grid.size - 2;
  for (const { node, x, y } of grid.cells) {
    pen.fillStyle = room;
    pen.fillRect(x, y, inner, inner);
    let level = y + inner;
    const fill = (amount: number, colourOf: string) => {
      const height = inner * amount;
      if (height <= 0) return;
      level -= height;
      pen.fillStyle = colourOf;
      pen.fillRect(x, Math.max(y, level), inner, height);
    };
    const held = part(node.reserved, node, resource);
    fill(Math.max(0, usedPart(node, resource) - held), used);
    fill(held, reserved);
    fill(Math.min(part(node.promised, node, resource), 1), promised);
    if (node.cordoned || !node.ready) {
      pen.strokeStyle = off;
      pen.lineWidth = 2;
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(x + inner, y + inner);
      pen.moveTo(x + inner, y);
      pen.lineTo(x, y + inner);
      pen.stroke();
    }
    if (node.name === selected) {
      pen.strokeStyle = line;
      pen.lineWidth = 3;
      pen.strokeRect(x + 1, y + 1, inner - 2, inner - 2);
    }
  }
  pen.fillStyle = text;
  pen.font = "14px system-ui, sans-serif";
  for (const label of grid.labels) pen.fillText(label.text, 0, label.y + 15);
}
