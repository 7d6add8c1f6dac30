import type { Messages } from "./translator";

/** Namespaces that only the server uses, in responses, mails and pages that it renders. */
const SERVER_ONLY = [
  "apiDocs",
  "docs",
  "errors",
  "health",
  "importIssues",
  "mail",
  "operations",
  "providerChecks",
  "sharePage",
];

/**
 * Returns the texts that are sent to the browser with a page.
 *
 * @param messages all texts of one language
 */
export function clientMessages(messages: Messages): Partial<Messages> {
  return Object.fromEntries(Object.entries(messages).filter(([namespace]) => !SERVER_ONLY.includes(namespace)));
}
