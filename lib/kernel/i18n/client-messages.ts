import type { Messages } from "./translator";

/** Namespaces that only the server uses, in responses, mails and pages that it renders. */
const SERVER_ONLY = [
  "apiDocs",
  "docs",
  "errors",
  "health",
  "importIssues",
  "installCheckWords",
  "mail",
  "operations",
  "providerChecks",
  "sharePage",
  "testerPage",
];

/**
 * Returns the texts that are sent to the browser with a page.
 *
 * @param messages all texts of one language
 */
export function clientMessages(messages: Messages): Partial<Messages> {
  return Object.fromEntries(Object.entries(messages).filter(([namespace]) => !SERVER_ONLY.includes(namespace)));
}

/** Namespaces that the list of the API reference uses in the browser: the header of public pages, and what every page has. */
const REFERENCE = ["common", "locale", "offline", "shell"];

/** Returns the texts that are sent to the browser with the list of the API reference, which every link leaves with a new document. */
export function referenceMessages(messages: Messages): Partial<Messages> {
  return Object.fromEntries(Object.entries(messages).filter(([namespace]) => REFERENCE.includes(namespace)));
}
