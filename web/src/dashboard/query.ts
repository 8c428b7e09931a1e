/** Puts a word into the part of the address after the sign, or takes it out if it is empty. */
export function changed(route: string, key: string, value: string) {
  const [here, query = ""] = location.hash.slice(1).split("?", 2);
  if (here !== route) {
    return;
  }
  const words = new URLSearchParams(query);
  if (value === "") {
    words.delete(key);
  } else {
    words.set(key, value);
  }
  const text = words.toString();
  history.replaceState(null, "", `#${route}${text === "" ? "" : `?${text}`}`);
}
