import type { WhatIf } from "../data";
import { count, duration, percent } from "../ui/format";
import { Layout } from "../ui/layout";
import { Sentences } from "../ui/sentences";
import { CaseTable } from "./cases";
import { CaseDots } from "./dots";
import { PartsTable } from "./parts";

/** The page of a history under changes. */
export function WhatIfPage({ whatif }: { whatif: WhatIf }) {
  const { cases, truth, draws, seed, version } = whatif;
  return (
    <Layout
      title={whatif.title}
      lead={`${whatif.lead}, replayed as it is and under changes.`}
      parts={[
        {
          title: "Cases",
          content: (
            <>
              <CaseTable whatif={whatif} />
              <CaseDots whatif={whatif} />
            </>
          ),
        },
        {
          title: "Who gains, who loses",
          content:
            cases.length > 1 ? (
              <>
                <PartsTable whatif={whatif} title="By size" label="GPUs" of={(c) => c.bySize} />
                {cases[0].byUser.length > 0 && (
                  <PartsTable whatif={whatif} title="By user" label="user" of={(c) => c.byUser} />
                )}
              </>
            ) : null,
        },
        {
          title: "How far to trust it",
          content: truth ? (
            <p>
              Of {count(truth.jobs)} jobs it is known when they started and ended. The
              replay&rsquo;s wait is {duration(truth.waitError)} from a job&rsquo;s true wait in the
              mean, and its time from submission to end {duration(truth.jctError)} from the true
              one; {percent(truth.nearShare)} of the jobs wait as long as they did, to a minute.
              What the replay lacks, it lacks in all cases: compare cases with the replay, not with
              the truth.
            </p>
          ) : (
            <p>
              The history does not tell when jobs started, so nobody can say how near the replay is.
            </p>
          ),
        },
      ]}
      footer={
        <>
          Every figure is the mean over {draws} {draws === 1 ? "draw" : "draws"} of what is not
          known, from seed {seed}; every schedule was validated. JCT is from submission to end. Made
          by Ringmaster {version}; the same numbers are in results.json.
        </>
      }
    >
      <Sentences sentences={whatif.sentences} />
    </Layout>
  );
}
