import type { Size, SizePolicy } from "../data";
import { duration, number, timeUnit } from "../ui/format";
import { Layout } from "../ui/layout";
import { Sentences } from "../ui/sentences";
import { Table } from "../ui/table";
import { SizeCurves } from "./curves";

/** The page of a search for the fewest servers that meet a goal. */
export function SizePage({ size }: { size: Size }) {
  const { draws, seed, version, figure, limit } = size;
  const unit = timeUnit(limit);
  const fewest = (policy: SizePolicy) => policy.fewest?.servers ?? NaN;
  const seconds = (policy: SizePolicy) => policy.fewest?.seconds.mean ?? NaN;
  return (
    <Layout
      title={size.title}
      lead={`${size.lead}. Servers of ${size.serverGpus} GPUs come and go until the ${figure} is below ${duration(limit)}.`}
      parts={[
        {
          title: "Servers",
          content: (
            <>
              <Table
                caption="Fewest servers by policy"
                file="servers"
                rows={size.policies}
                columns={[
                  { label: "policy", value: (p) => p.name },
                  {
                    label: "servers",
                    value: fewest,
                    show: (p) => p.fewest?.servers ?? "no number is enough",
                  },
                  {
                    label: "change",
                    value: (p) => fewest(p) - size.presentServers,
                    show: (p) => (p.fewest ? withSign(fewest(p) - size.presentServers) : ""),
                  },
                  {
                    label: "GPUs",
                    key: "gpus",
                    value: (p) => p.fewest?.gpus ?? NaN,
                    show: (p) => p.fewest?.gpus ?? "",
                  },
                  {
                    label: `${figure}, ${unit.short}`,
                    key: "seconds",
                    value: seconds,
                    show: (p) => (p.fewest ? number(seconds(p) / unit.seconds) : ""),
                  },
                  {
                    label: "lengths",
                    value: (p) => p.lengths,
                    title: "what the policy knew of lengths",
                  },
                ]}
              />
              <SizeCurves size={size} />
            </>
          ),
        },
      ]}
      footer={
        <>
          Every figure is the mean over {draws} {draws === 1 ? "draw" : "draws"} of what is not
          known, from seed {seed}; every schedule was validated. Made by Ringmaster {version}; the
          same numbers are in results.json.
        </>
      }
    >
      <Sentences sentences={size.sentences} />
    </Layout>
  );
}

function withSign(change: number): string {
  return change > 0 ? `+${change}` : String(change);
}
