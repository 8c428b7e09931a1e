// One list of all that a release holds, from those of its jars and of its pages, without what is
// only for other machines: sbom.mjs JARS.json PAGES.json FOLDER-OF-JARS RUNTIME-VERSION TIME
import { readFileSync, readdirSync } from "node:fs";

const [jars, pages, folder, runtime, time] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const shipped = new Set(readdirSync(folder));
const own = read(jars);
// A jar is called after its artifact and version, whatever stands between.
const isShipped = ({ name, version }) =>
  [...shipped].some((jar) => jar.startsWith(`${name}-${version}`) || jar === `${name}.jar`);

const components = [
  ...own.components.filter(isShipped),
  ...read(pages).components,
  { type: "platform", name: "openjdk", version: runtime, licenses: [{ license: { id: "GPL-2.0-with-classpath-exception" } }] },
];
const metadata = { timestamp: time, component: own.metadata.component };
console.log(
  JSON.stringify({ bomFormat: "CycloneDX", specVersion: own.specVersion, version: 1, metadata, components }, null, 1),
);
