/** What the folders of languages were named before there were codes. */
const NAMES: Readonly<Record<string, string>> = {
  de: "German",
  en: "English",
  es: "Spanish",
  fr: "French",
  it: "Italian",
  ja: "Japanese",
  nl: "Dutch",
};

/** The regions of traditional Chinese; the others write simplified. */
const TRADITIONAL = new Set(["hant", "tw", "hk", "mo"]);

/** The codes that stand for the same language. */
const SAME: Readonly<Record<string, string>> = { nb: "no", no: "nb", he: "iw", iw: "he", id: "in", in: "id" };

/**
 * The names that the folder of a language may have (`<name>.lproj`), the closest first: `zh_CN` may be `zh-CN`, `zh-Hans` or `zh`.
 * @param language such as CFBundleDevelopmentRegion: a code with or without script and region, or an old name such as "English"
 */
export function languagesOf(language: string): string[] {
  const named = Object.entries(NAMES).find(([, name]) => name.toLowerCase() === language.toLowerCase())?.[0];
  const [first = "", ...subtags] = (named ?? language).split(/[-_]/);
  const code = first.toLowerCase();
  const shorter = [2, 1].filter((count) => count <= subtags.length).map((count) => [code, ...subtags.slice(0, count)]);
  const isTraditional = subtags.some((tag) => TRADITIONAL.has(tag.toLowerCase()));
  const chinese = isTraditional ? ["Hant", "TW", "HK"] : ["Hans", "CN"];
  const tagged = [...shorter, ...(code === "zh" ? chinese.map((tag) => [code, tag]) : [])];
  const codes = [code, SAME[code]].filter((one) => one !== undefined);
  return [language, ...tagged.flatMap((tags) => [tags.join("-"), tags.join("_")]), ...codes, NAMES[code] ?? ""];
}
