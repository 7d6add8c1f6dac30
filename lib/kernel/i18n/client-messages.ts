import type { Messages } from "./translator";

/** Texts that only the server puts into answers and mails. */
const SERVER_ONLY = ["errors", "mail", "providerChecks"];

/**
 * The texts that travel to the browser with a page.
 *
 * @param messages all texts of one language
 */
export function clientMessages(messages: Messages): Partial<Messages> {
  return Object.fromEntries(Object.entries(messages).filter(([namespace]) => !SERVER_ONLY.includes(namespace)));
}
