/** Settings that `.env.example` explains together. */
interface Settings {
  /** With their defaults, in the order of the file. */
  defaults: [name: string, value: string][];
  explanation: string;
}

/** The settings of `.env.example`: each comment explains the lines below it. */
export function settingsOf(example: string): Settings[] {
  const settings: Settings[] = [];
  let comment: string[] = [];
  let isExplained = false;
  for (const line of example.split("\n")) {
    const [, name, value = ""] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      if (!isExplained) settings.push({ defaults: [], explanation: comment.join(" ").trim() });
      settings.at(-1)?.defaults.push([name, value]);
      isExplained = true;
    } else {
      if (isExplained || !line.startsWith("#")) comment = [];
      isExplained = false;
      if (line.startsWith("#")) comment.push(line.replace(/^# ?/, ""));
    }
  }
  return settings;
}

const cell = (text: string) =>
  text
    .replaceAll("|", "\\|")
    .replaceAll(/docs\/operations\/([\w-]+)\.md(#[\w-]+)?/g, "[$1]($1.md$2)")
    .replaceAll(/docs\/([\w-]+)\.md(#[\w-]+)?/g, "[$1](../$1.md$2)");

/** The table of all settings in Markdown. */
export function settingsTable(example: string): string {
  const rows = settingsOf(example).map(({ defaults, explanation }) => {
    const names = defaults.map(([name]) => `\`${name}\``).join("<br>");
    const values = defaults.map(([, value]) => (value === "" ? "–" : `\`${cell(value)}\``)).join("<br>");
    return `| ${names} | ${values} | ${cell(explanation)} |`;
  });
  return `| setting | default | |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
}

const BEGIN = "<!-- <settings> -->\n";
const END = "<!-- </settings> -->";

/** The page of the settings with the table of `.env.example`. */
export function withSettings(page: string, example: string): string {
  const [head = ""] = page.split(BEGIN);
  const [, tail = ""] = page.split(END);
  return `${head}${BEGIN}${settingsTable(example)}${END}${tail}`;
}
