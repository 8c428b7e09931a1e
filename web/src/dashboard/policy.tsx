import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { duration } from "../ui/format";
import { Table, type Column } from "../ui/table";
import {
  get,
  message,
  send,
  type Node,
  type Policy,
  type PolicySpec,
  type Preview,
  type PreviewedJob,
  type PreviewedPolicy,
} from "./api";
import { useBoard, type Board } from "./board";
import { stateOf } from "./cluster";
import { clock } from "./moments";

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
              .join(", ")}{" "}
            <span class="muted">{known(policy)}</span>
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

/** What it knows of how long jobs will run: never the truth. */
const known = ({ policy, lengths }: Policy) =>
  lengths === "predicted"
    ? `Lengths predicted: ${policy} goes by how long jobs are expected to take, which nobody knows.`
    : `Lengths none: ${policy} does not ask how long jobs take.`;

function Switch({ board, present }: { board: Board; present: Policy }) {
  const [specs, setSpecs] = useState<PolicySpec[]>([]);
  const [name, setName] = useState(present.policy);
  const [settings, setSettings] = useState<Record<string, string>>(present.settings);
  const [problem, setProblem] = useState("");
  const [done, setDone] = useState("");
  const [preview, setPreview] = useState<Preview | null>(null);
  const [isLooking, setIsLooking] = useState(false);
  /** Counts choices: an answer to an older one comes too late. */
  const choice = useRef(0);
  useEffect(() => {
    get<{ policies: PolicySpec[] }>("/policies")
      .then((reply) => setSpecs(reply.policies))
      .catch((e: unknown) => setProblem(message(e)));
  }, []);
  const spec = specs.find((each) => each.name === name);
  const isChosen = () => {
    choice.current++;
    setPreview(null);
    setIsLooking(false);
    setProblem("");
    setDone("");
  };
  const set = (setting: string, value: string) => {
    isChosen();
    setSettings({ ...settings, [setting]: value });
  };
  const body = () =>
    JSON.stringify({
      policy: name,
      settings: Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== "")),
    });
  async function look() {
    isChosen();
    const asked = choice.current;
    setIsLooking(true);
    try {
      const answer = await send<Preview>("POST", "/policy/preview", body());
      if (asked === choice.current) {
        setPreview(answer);
      }
    } catch (e) {
      if (asked === choice.current) {
        setProblem(message(e));
      }
    }
    if (asked === choice.current) {
      setIsLooking(false);
    }
  }
  async function choose() {
    try {
      const chosen = await send<Policy>("PUT", "/policy", body());
      isChosen();
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
        void look();
      }}
    >
      <label>
        Policy
        <select
          value={name}
          onChange={(event) => {
            isChosen();
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
      {spec?.parameters
        .filter((parameter) => !parameter.simulation_only)
        .map((parameter) => (
          <label key={name + parameter.name} title={parameter.help}>
            {parameter.name}
            {parameter.choices.length > 0 ? (
              <select
                value={settings[parameter.name] ?? ""}
                onChange={(event) => set(parameter.name, event.currentTarget.value)}
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
                onInput={(event) => set(parameter.name, event.currentTarget.value)}
              />
            )}
            <small class="muted">
              {parameter.help}{" "}
              {parameter.choices.length === 0 && `Expected: ${parameter.expected}.`}
            </small>
          </label>
        ))}
      <p>
        <button class={preview ? "" : "primary"}>See what it would do</button>{" "}
        <span role="status">{isLooking ? "Simulates the queue …" : done}</span>
      </p>
      {preview && (
        <Previewed preview={preview}>
          <button type="button" class="primary" onClick={() => void choose()}>
            Use {preview.preview.policy} from now on
          </button>
        </Previewed>
      )}
      <p class="fails" role="alert">
        {problem}
      </p>
    </form>
  );
}

/** What a policy would do with the present queue, beside the one that decides. */
function Previewed({ preview, children }: { preview: Preview; children: ComponentChildren }) {
  const { present, preview: other, jobs, left_off: leftOff, basis } = preview;
  const time = (seconds: number | null) => (seconds === null ? "not known" : duration(seconds));
  const figures: [string, (policy: PreviewedPolicy) => string][] = [
    ["Mean wait", (policy) => time(policy.wait_mean_s)],
    ["95th percentile", (policy) => time(policy.wait_p95_s)],
    ["Mean time to the end", (policy) => time(policy.end_mean_s)],
    ["Stops", (policy) => String(policy.stops)],
    ["GPU time at risk", (policy) => duration(policy.at_risk_gpu_s)],
    ["Lengths", (policy) => policy.lengths],
  ];
  return (
    <section class="preview" data-figure="preview">
      <Table
        caption="From now on"
        columns={[
          { label: "From now on", key: "figure", value: ([label]) => label },
          { label: `${present.policy} (present)`, value: ([, of]) => of(present) },
          { label: other.policy, key: "preview", value: ([, of]) => of(other) },
        ]}
        rows={figures}
        most={figures.length}
      />
      {jobs.length > 0 && <h3>Who would be stopped, and who would start when</h3>}
      {jobs.length > 0 && (
        <Table
          caption={`Who would be stopped under ${other.policy}, and who would start when`}
          columns={FATES}
          rows={jobs}
          most={jobs.length}
        />
      )}
      {leftOff > 0 && <p>and {leftOff} more jobs</p>}
      <p class="muted">
        At risk is what jobs that run now lose at their first stop, unless they save when they are
        asked to: all that they did if no checkpoint was seen, else what they did since their last
        report.
      </p>
      <p class="muted">Rests on {basis}.</p>
      <p>{children}</p>
    </section>
  );
}

const starts = (job: PreviewedJob, seconds: number | null) =>
  seconds !== null ? clock(seconds) : job.state === "queued" ? "not known" : job.state;

const FATES: Column<PreviewedJob>[] = [
  { label: "Job", value: (job) => job.job, show: (job) => <JobLink id={job.job} /> },
  { label: "Name", value: (job) => job.name },
  { label: "User", value: (job) => job.user },
  { label: "GPUs", value: (job) => job.gpus },
  { label: "Would start", key: "start_s", value: (job) => starts(job, job.start_s) },
  {
    label: "Under the present policy",
    key: "present_start_s",
    value: (job) => starts(job, job.present_start_s),
  },
  { label: "Stops", value: (job) => job.stops },
  {
    label: "GPU time at risk",
    key: "at_risk_gpu_s",
    value: (job) => job.at_risk_gpu_s,
    show: (job) => (job.at_risk_gpu_s > 0 ? duration(job.at_risk_gpu_s) : "-"),
  },
];

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
