import { useEffect, useState } from "preact/hooks";
import { Table, type Column } from "../ui/table";
import { get, message, send, type Node, type Policy, type PolicySpec } from "./api";
import { useBoard, type Board } from "./board";
import { stateOf } from "./cluster";

/** The policy that decides, and the nodes. Admins may change both. */
export function PolicyPage({ board }: { board: Board }) {
  useBoard(board, 200);
  const isAdmin = board.caller.role === "admin";
  const { policy } = board;
  return (
    <main>
      <h1>Policy and nodes</h1>
      {!isAdmin && <p class="muted">Only admins can change them.</p>}
      <section>
        <h2>Policy</h2>
        {policy && (
          <p data-figure="present-policy">
            <strong>{policy.policy}</strong>{" "}
            {Object.entries(policy.settings)
              .map(([key, value]) => `${key}=${value}`)
              .join(", ")}
          </p>
        )}
        {policy?.error && (
          <p class="fails">A simpler policy decides in its place: {policy.error}</p>
        )}
        {isAdmin && policy && <Switch board={board} present={policy} />}
      </section>
      <section>
        <h2>Nodes</h2>
        <Nodes board={board} isAdmin={isAdmin} />
      </section>
    </main>
  );
}

function Switch({ board, present }: { board: Board; present: Policy }) {
  const [specs, setSpecs] = useState<PolicySpec[]>([]);
  const [name, setName] = useState(present.policy);
  const [settings, setSettings] = useState<Record<string, string>>(present.settings);
  const [problem, setProblem] = useState("");
  const [done, setDone] = useState("");
  useEffect(() => {
    get<{ policies: PolicySpec[] }>("/policies")
      .then((reply) => setSpecs(reply.policies))
      .catch((e: unknown) => setProblem(message(e)));
  }, []);
  const spec = specs.find((each) => each.name === name);
  async function choose() {
    setProblem("");
    setDone("");
    const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ""));
    try {
      const chosen = await send<Policy>(
        "PUT",
        "/policy",
        JSON.stringify({ policy: name, settings: given }),
      );
      board.policy = chosen;
      board.changed();
      setDone(`${chosen.policy} decides from now on.`);
    } catch (e) {
      setProblem(message(e));
    }
  }
  return (
    <form
      class="switch"
      onSubmit={(event) => {
        event.preventDefault();
        void choose();
      }}
    >
      <label>
        Policy
        <select
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setSettings(event.currentTarget.value === present.policy ? present.settings : {});
          }}
        >
          {specs.map((each) => (
            <option key={each.name}>{each.name}</option>
          ))}
        </select>
      </label>
      {spec && (
        <p class="muted">
          {spec.summary} ({spec.source})
        </p>
      )}
      {spec?.parameters.map((parameter) => (
        <label key={name + parameter.name} title={parameter.help}>
          {parameter.name}
          {parameter.choices.length > 0 ? (
            <select
              value={settings[parameter.name] ?? ""}
              onChange={(event) =>
                setSettings({ ...settings, [parameter.name]: event.currentTarget.value })
              }
            >
              <option value="">{parameter.default} (usual)</option>
              {parameter.choices.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </select>
          ) : (
            <input
              placeholder={parameter.default}
              value={settings[parameter.name] ?? ""}
              onInput={(event) =>
                setSettings({ ...settings, [parameter.name]: event.currentTarget.value })
              }
            />
          )}
          <small class="muted">
            {parameter.help} {parameter.choices.length === 0 && `Expected: ${parameter.expected}.`}
          </small>
        </label>
      ))}
      <p>
        <button class="primary">Use this policy</button> <span role="status">{done}</span>
      </p>
      <p class="fails" role="alert">
        {problem}
      </p>
    </form>
  );
}

function Nodes({ board, isAdmin }: { board: Board; isAdmin: boolean }) {
  const [problem, setProblem] = useState("");
  async function change(node: Node) {
    setProblem("");
    const what = node.drained ? "resume" : "drain";
    const body = node.drained ? "{}" : JSON.stringify({ reason: "drained from the dashboard" });
    try {
      await send("POST", `/nodes/${encodeURIComponent(node.name)}/${what}`, body);
      board.refresh();
    } catch (e) {
      setProblem(message(e));
    }
  }
  const columns: Column<Node>[] = [
    { label: "Node", value: (node) => node.name },
    { label: "GPUs", value: (node) => node.gpus },
    { label: "Free", value: (node) => node.free_gpus },
    { label: "State", value: stateOf },
    {
      label: "Jobs",
      value: (node) => node.jobs.length,
      show: (node) => node.jobs.map((id) => <JobLink key={id} id={id} />),
    },
    { label: "Reason", value: (node) => node.reason },
  ];
  if (isAdmin) {
    columns.push({
      label: "Service",
      value: (node) => (node.drained ? "drained" : ""),
      show: (node) => (
        <button
          onClick={() => void change(node)}
          aria-label={`${node.drained ? "Resume" : "Drain"} ${node.name}`}
        >
          {node.drained ? "Resume" : "Drain"}
        </button>
      ),
    });
  }
  return (
    <>
      <p class="fails" role="alert">
        {problem}
      </p>
      <Table caption="Nodes" columns={columns} rows={board.nodes} most={50} />
    </>
  );
}

function JobLink({ id }: { id: number }) {
  return (
    <>
      <a href={`#/jobs/${id}`}>{id}</a>{" "}
    </>
  );
}
