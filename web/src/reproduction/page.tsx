import type { Reproduction } from "../data";
import { Layout } from "../ui/layout";

export function ReproductionPage({ reproduction }: { reproduction: Reproduction }) {
  return <Layout title={reproduction.title} lead="" parts={[]} footer={reproduction.version} />;
}
