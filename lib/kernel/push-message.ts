/** The worker and the script of the pages of testers without an account; `scripts/lib/service-worker.mjs` builds them. */
export const TESTER_WORKER_PATH = "/tester-sw.js";
export const TESTER_SCRIPT_PATH = "/tester.js";

/** What a notification of a browser says, as it is sent to its service worker. */
export interface PushMessage {
  title: string;
  body: string;
  /** The page of the console that the notification opens. */
  url: string;
  /** A notification replaces the one before with the same tag. */
  tag: string;
  lang: string;
}
