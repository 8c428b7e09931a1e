import type { Comparison } from "../data";
import { Layout } from "../ui/layout";

export function ComparisonPage({ comparison }: { comparison: Comparison }) {
  return <Layout title={comparison.title} lead="" parts={[]} footer={comparison.version} />;
}
