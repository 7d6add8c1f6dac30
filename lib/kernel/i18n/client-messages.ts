import type { Messages } from "./translator";

type Namespace = keyof Messages;

/** Namespaces that only the server uses, in responses, mails and pages that it renders. */
const SERVER_ONLY: readonly Namespace[] = [
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

/** Namespaces that the pages outside the shell use in the browser. Every page has them. */
export const PUBLIC_NAMESPACES: readonly Namespace[] = [
  "auth",
  "clientErrors",
  "common",
  "failures",
  "locale",
  "newPassword",
  "oauthLogin",
  "offline",
  "passkeys",
  "recovery",
  "resetPassword",
  "secondFactor",
  "session",
  "setup",
  "shell",
  "toolSignIn",
  "trust",
  "twoFactor",
  "users",
  "validation",
];

/** Namespaces that only the pages of administrators use in the browser. */
export const ADMIN_NAMESPACES: readonly Namespace[] = [
  "auditLog",
  "authProviders",
  "dashboard",
  "people",
  "testMail",
  "webhooks",
];

/** Namespaces that the list of the API reference uses in the browser: the header of public pages, and what every page has. */
const REFERENCE: readonly Namespace[] = ["common", "locale", "offline", "shell"];

function pick(messages: Messages, includes: (namespace: Namespace) => boolean): Partial<Messages> {
  return Object.fromEntries(Object.entries(messages).filter(([namespace]) => includes(namespace as Namespace)));
}

/** Returns the texts that are sent to the browser with every page. */
export function publicMessages(messages: Messages): Partial<Messages> {
  return pick(messages, (namespace) => PUBLIC_NAMESPACES.includes(namespace));
}

/** Returns the texts that the pages within the shell have besides {@link publicMessages}. */
export function shellMessages(messages: Messages, isAdmin: boolean): Partial<Messages> {
  return pick(
    messages,
    (namespace) =>
      !SERVER_ONLY.includes(namespace) &&
      !PUBLIC_NAMESPACES.includes(namespace) &&
      (isAdmin || !ADMIN_NAMESPACES.includes(namespace)),
  );
}

/** Returns the texts that are sent to the browser with the list of the API reference, which every link leaves with a new document. */
export function referenceMessages(messages: Messages): Partial<Messages> {
  return pick(messages, (namespace) => REFERENCE.includes(namespace));
}
