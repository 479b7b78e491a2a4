import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { setToken, takeToken } from "./api";
import { Cluster } from "./cluster";
import { Evictions } from "./evictions";
import { History } from "./history";
import { Queues } from "./queues";
import { Reservations } from "./reservations";
import { follow, useStore } from "./store";
import "./style.css";
import { Waiting } from "./waiting";

const VIEWS = [
  { id: "cluster", title: "Cluster", view: Cluster },
  { id: "queues", title: "Queues", view: Queues },
  { id: "waiting", title: "Waiting", view: Waiting },
  { id: "evictions", title: "Evictions", view: Evictions },
  { id: "reservations", title: "Reservations", view: Reservations },
  { id: "history", title: "History", view: History },
];

function Login() {
  const [token, change] = useState("");
  return (
    <main id="main">
      <h1>Basalt</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setToken(token.trim());
          void follow();
        }}
      >
        <p>
          The dashboard needs a token: the one in the address that it printed, or one of yours for this
          cluster (<code>kubectl create token</code>).
        </p>
        <label>
          Token <input type="password" autocomplete="off" value={token} onInput={(e) => change(e.currentTarget.value)} />
        </label>{" "}
        <button type="submit">Go on</button>
      </form>
    </main>
  );
}

function App() {
  const { overview, problem, refused, person } = useStore();
  const [view, setView] = useState(location.hash.slice(1) || "cluster");
  useEffect(() => {
    const follow = () => setView(location.hash.slice(1) || "cluster");
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  if (refused) return <Login />;
  const chosen = VIEWS.find((each) => each.id === view) ?? VIEWS[0];
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); document.getElementById("main")?.focus(); }}>
        To the content
      </a>
      <header>
        <strong>Basalt</strong>
        <nav aria-label="Views">
          {VIEWS.map(({ id, title }) => (
            <a href={`#${id}`} aria-current={id === chosen.id ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <span class="state">
          {overview && `as of ${new Date(overview.version.time).toLocaleTimeString()}`}
          {person && !person.everything && `, ${person.name}`}
        </span>
      </header>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {overview ? <chosen.view /> : <p>Waiting for the scheduler…</p>}
      </main>
    </>
  );
}

takeToken();
render(<App />, document.getElementById("page")!);
void follow();
