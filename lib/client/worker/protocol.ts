import type { Locale } from "@/lib/kernel/i18n/locales";

/** Where the worker is; `scripts/lib/service-worker.mjs` builds it. */
export const WORKER_PATH = "/sw.js";

/** The path to which the installed app shares a file, which the worker takes. */
export const SHARE_PATH = "/share-target";
/** The fragment of the page that is opened after a file was shared. */
export const SHARED_FRAGMENT = "#shared";

/** What a page tells the worker. */
export type PageMessage =
  /** The new worker takes over from the old one. */
  | { type: "SKIP_WAITING" }
  /** The language that the page is shown in, and the paths of the static files that it has loaded. */
  | { type: "PAGE"; locale: Locale; files: string[] };

/** The static files of a build. They have a hash in their names and never change. */
export const STATIC_PREFIX = "/_next/static/";
