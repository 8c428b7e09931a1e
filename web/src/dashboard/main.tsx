import { render } from "preact";
import "../style.css";
import "../cluster/cluster.css";
import "./dashboard.css";
import { App } from "./app";

const app = document.getElementById("app")!;
app.replaceChildren();
render(<App />, app);
