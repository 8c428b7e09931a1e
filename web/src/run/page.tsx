import type { Run } from "../data";
import { Layout } from "../ui/layout";

export function RunPage({ run }: { run: Run }) {
  return <Layout title={run.title} lead="" parts={[]} footer={run.version} />;
}
