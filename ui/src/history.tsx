import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { get, type HistoryData } from "./api";

const COLOURS = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5"];

function Plot(props: { title: string; times: number[]; lines: Record<string, number[]>; unit: string }) {
  const place = useRef<HTMLDivElement>(null);
  const names = Object.keys(props.lines);
  useEffect(() => {
    const element = place.current!;
    const style = getComputedStyle(element);
    const text = style.getPropertyValue("--text").trim();
    const axis = { stroke: text, grid: { stroke: style.getPropertyValue("--line").trim() } };
    const plot = new uPlot(
      {
        width: Math.max(300, element.clientWidth),
        height: 220,
        series: [
          {},
          ...names.map((name, i) => ({
            label: name,
            stroke: style.getPropertyValue(COLOURS[i % COLOURS.length]).trim(),
            width: 2,
            dash: i >= COLOURS.length ? [6, 3] : undefined,
          })),
        ],
        axes: [axis, axis],
        scales: { y: { range: (_plot, _least, most) => [0, Math.max(most, props.unit === "%" ? 100 : 1)] } },
      },
      [props.times, ...names.map((name) => props.lines[name])],
      element,
    );
    return () => plot.destroy();
  }, [props.times.length, props.times.at(-1), names.join()]);
  const last = names.map((name) => `${name} ${(props.lines[name].at(-1) ?? 0).toFixed(1)} ${props.unit}`);
  return (
    <figure>
      <figcaption>{props.title}</figcaption>
      <div ref={place} role="img" aria-label={`${props.title}; now: ${last.join(", ") || "nothing"}`} />
    </figure>
  );
}

export function History() {
  const [data, setData] = useState<HistoryData | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const load = () => get<HistoryData>("history").then(setData, (error: Error) => setProblem(error.message));
    load();
    const timer = setInterval(load, 30_000);
    return () => clearInterval(timer);
  }, []);
  const percents = (lines: Record<string, number[]>) =>
    Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, line.map((part) => part * 100)]));
  return (
    <section aria-labelledby="history-title">
      <h1 id="history-title">History</h1>
      {problem && <p role="alert">{problem}</p>}
      {data && (
        <>
          <p>
            {data.times.length} points of the last hours, kept in the dashboard's memory.
          </p>
          <Plot title="Allocated, of all" times={data.times} lines={percents(data.allocated)} unit="%" />
          <Plot title="Waiting pods by reason" times={data.times} lines={data.waiting} unit="pods" />
          <Plot title="Scheduling cycle" times={data.times} lines={{ "last cycle": data.cycleMilliseconds }} unit="ms" />
        </>
      )}
    </section>
  );
}
