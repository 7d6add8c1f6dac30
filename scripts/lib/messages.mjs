import { parse, TYPE } from "@formatjs/icu-messageformat-parser";

/**
 * @typedef {{ [key: string]: string | Tree }} Tree nested texts by key
 */

/** The kinds of placeholders, by the parser's types. A number, date, time or plural must have the same kind in all languages. */
const kinds = /** @type {Record<number, string>} */ ({
  [TYPE.argument]: "text",
  [TYPE.number]: "number",
  [TYPE.date]: "date",
  [TYPE.time]: "time",
  [TYPE.select]: "select",
  [TYPE.plural]: "number",
  [TYPE.tag]: "tag",
});

/**
 * @param {Tree} tree
 * @param {string} [prefix]
 * @returns {Map<string, string>} the texts by their full key, such as "errors.not_found.title"
 */
export function flatten(tree, prefix = "") {
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value === "string") texts.set(prefix + name, value);
    else for (const [key, text] of flatten(value, `${prefix}${name}.`)) texts.set(key, text);
  }
  return texts;
}

/**
 * @param {string} text in ICU message syntax
 * @returns {string} the placeholders with their kinds; equal for texts that take the same values
 * @throws {SyntaxError} if the text is malformed
 */
export function describeArguments(text) {
  /** @type {Set<string>} */
  const found = new Set();
  const visit = (/** @type {ReturnType<typeof parse>} */ elements) => {
    for (const element of elements) {
      if (kinds[element.type] && "value" in element) found.add(`${element.value} (${kinds[element.type]})`);
      if ("options" in element) for (const { value } of Object.values(element.options)) visit(value);
      if ("children" in element) visit(element.children);
    }
  };
  visit(parse(text));
  return [...found].sort().join(", ") || "none";
}

/**
 * Finds differences between the languages (missing or extra keys, different placeholders) and invalid texts (malformed
 * ICU messages, empty texts, leading or trailing spaces).
 *
 * @param {Record<string, Tree>} locales the texts by language
 * @param {string} reference the language that the others are compared with
 * @returns {string[]} one line for each problem
 */
export function findMessageProblems(locales, reference) {
  const texts = Object.fromEntries(Object.entries(locales).map(([locale, tree]) => [locale, flatten(tree)]));
  /** @type {string[]} */
  const problems = [];
  const argumentsOf = (/** @type {string} */ locale, /** @type {string} */ key, /** @type {string} */ text) => {
    try {
      return describeArguments(text);
    } catch (error) {
      problems.push(`${locale} ${key}: ${/** @type {Error} */ (error).message}`);
      return undefined;
    }
  };
  const expected = texts[reference] ?? new Map();
  for (const [locale, own] of Object.entries(texts)) {
    for (const key of expected.keys()) if (!own.has(key)) problems.push(`${locale} ${key}: missing`);
    for (const [key, text] of own) {
      if (!expected.has(key)) problems.push(`${locale} ${key}: not in ${reference}`);
      if (text.trim() === "") problems.push(`${locale} ${key}: empty`);
      else if (text !== text.trim()) problems.push(`${locale} ${key}: begins or ends with a space`);
      const given = argumentsOf(locale, key, text);
      const wanted = expected.has(key) && locale !== reference ? argumentsOf(reference, key, expected.get(key)) : given;
      if (given !== undefined && wanted !== undefined && given !== wanted) {
        problems.push(`${locale} ${key}: takes ${given}, and ${reference} takes ${wanted}`);
      }
    }
  }
  return [...new Set(problems)];
}
