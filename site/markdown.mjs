import { doc } from "prettier";
import * as markdown from "prettier/plugins/markdown";

const { hardline, join } = doc.builders;
const printer = markdown.printers.mdast;

/** Prettier's Markdown, but tables stay as they were written: padded, wide ones are unreadable. */
export const parsers = {
  "markdown-tables-kept": { ...markdown.parsers.markdown, astFormat: "mdast-tables-kept" },
};

export const printers = {
  "mdast-tables-kept": {
    ...printer,
    print(path, options, print, args) {
      const { type, position } = path.node;
      if (type !== "table") {
        return printer.print(path, options, print, args);
      }
      const rows = options.originalText.slice(position.start.offset, position.end.offset);
      return join(hardline, rows.split(/\n\s*/));
    },
  },
};
