import { render } from "preact";
import "./style.css";
import { ComparisonPage } from "./comparison/page";
import type { Report } from "./data";
import { ReproductionPage } from "./reproduction/page";
import { RunPage } from "./run/page";
import { SizePage } from "./size/page";
import { WhatIfPage } from "./whatif/page";

function page(report: Report) {
  switch (report.kind) {
    case "run":
      return <RunPage run={report} />;
    case "comparison":
      return <ComparisonPage comparison={report} />;
    case "reproduction":
      return <ReproductionPage reproduction={report} />;
    case "whatif":
      return <WhatIfPage whatif={report} />;
    case "size":
      return <SizePage size={report} />;
  }
}

const data = document.getElementById("report-data")!.textContent!;
const report = JSON.parse(data) as Report;
document.title = `${report.title} · Ringmaster`;
const app = document.getElementById("app")!;
app.replaceChildren();
render(page(report), app);
// What an address points at is in its place only once the plots have been drawn.
const wanted = document.getElementById(location.hash.slice(1));
setTimeout(() => wanted?.scrollIntoView({ behavior: "instant" }), 50);
