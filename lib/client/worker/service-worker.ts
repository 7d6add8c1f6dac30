import {
  CacheableResponsePlugin,
  CacheFirst,
  ExpirationPlugin,
  NetworkOnly,
  type PrecacheEntry,
  Serwist,
} from "serwist";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { isLocale } from "@/lib/kernel/i18n/locales";
import { negotiateLocale } from "@/lib/kernel/i18n/negotiate";
import { showNotifications } from "./notifications";
import { OFFLINE_PAGE_POLICY, type OfflineTexts, offlinePage } from "./offline-page";
import { type PageMessage, SHARE_PATH, SHARED_FRAGMENT, STATIC_PREFIX } from "./protocol";
import { isFromAnotherSite } from "./share-origin";
import { keepSharedFile } from "./shared-file";

// `scripts/lib/service-worker.mjs` replaces these when it builds the worker.
declare const PRECACHED_FILES: PrecacheEntry[];
/** The path of the console's font. */
declare const OFFLINE_FONT: string;
declare const OFFLINE_TEXTS: Record<Locale, OfflineTexts>;

/** The part of a worker's global scope that TypeScript's library for pages does not have. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface WorkerFetchEvent extends WorkerEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
interface WorkerInstallEvent extends WorkerEvent {
  addRoutes?(rules: { condition: { urlPattern: string }; source: "network" }[]): Promise<void>;
}
interface WorkerMessageEvent extends WorkerEvent {
  data: PageMessage | undefined;
}
interface WorkerScope {
  addEventListener(type: "fetch", listener: (event: WorkerFetchEvent) => void): void;
  addEventListener(type: "install", listener: (event: WorkerInstallEvent) => void): void;
  addEventListener(type: "message", listener: (event: WorkerMessageEvent) => void): void;
}
const scope = self as unknown as WorkerScope;

/**
 * The caches: static files, which are the same for everybody, and the language. No page and no answer of the API is ever
 * stored.
 */
const STATIC_CACHE = "static";
const LANGUAGE_CACHE = "language";
const LANGUAGE_KEY = "/language";

/** About three builds. */
const MAX_STATIC_FILES = 500;

const staticFiles = new CacheFirst({
  cacheName: STATIC_CACHE,
  plugins: [
    new CacheableResponsePlugin({ statuses: [200] }),
    new ExpirationPlugin({ maxEntries: MAX_STATIC_FILES, maxAgeFrom: "last-used" }),
  ],
});

async function language(): Promise<Locale> {
  const stored = await caches.open(LANGUAGE_CACHE).then((cache) => cache.match(LANGUAGE_KEY));
  return negotiateLocale(await stored?.text(), navigator.languages.join(","));
}

async function offlineResponse(): Promise<Response> {
  const locale = await language();
  return new Response(offlinePage(locale, OFFLINE_TEXTS[locale], OFFLINE_FONT), {
    status: 503,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": OFFLINE_PAGE_POLICY,
      "Cache-Control": "no-store",
    },
  });
}

/** Takes a file that another app shares, and opens the applications to publish it in. A page of another site shares none. */
async function receiveSharedFile(request: Request): Promise<Response> {
  if (isFromAnotherSite(request, location.origin)) return Response.redirect("/home", 303);
  const file = (await request.formData()).get("file");
  if (file instanceof File) await keepSharedFile(file);
  return Response.redirect(`/home${SHARED_FRAGMENT}`, 303);
}

async function notePage(event: WorkerMessageEvent, { locale, files }: Extract<PageMessage, { type: "PAGE" }>) {
  if (isLocale(locale)) {
    const cache = await caches.open(LANGUAGE_CACHE);
    await cache.put(LANGUAGE_KEY, new Response(locale));
  }
  // What a page loaded before the worker controlled it comes from the browser's own cache.
  const own = files.filter((path) => path.startsWith(STATIC_PREFIX));
  const strategyEvent = event as unknown as Parameters<typeof staticFiles.handle>[0]["event"];
  await Promise.allSettled(own.map((path) => staticFiles.handle({ request: new Request(path), event: strategyEvent })));
}

const serwist = new Serwist({
  precacheEntries: PRECACHED_FILES,
  precacheOptions: { cleanupOutdatedCaches: true },
  // A new version waits until the user agrees.
  skipWaiting: false,
  // The first version controls the page that installed it, so that its next page can be the offline page.
  clientsClaim: true,
  navigationPreload: true,
  disableDevLogs: true,
  runtimeCaching: [
    {
      matcher: ({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith(STATIC_PREFIX),
      handler: staticFiles,
    },
    {
      matcher: ({ request, url }) => request.mode === "navigate" && !url.pathname.startsWith("/api/"),
      handler: new NetworkOnly(),
    },
  ],
});

serwist.setCatchHandler(({ request }) =>
  request.mode === "navigate" ? offlineResponse() : Promise.resolve(Response.error()),
);

scope.addEventListener("install", (event) => {
  // Where the browser supports it, calls of the API and uploads do not pass through the worker at all.
  const routed = event.addRoutes?.([{ condition: { urlPattern: "/api/*" }, source: "network" }]);
  if (routed) event.waitUntil(routed.catch(() => {}));
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "POST" || new URL(request.url).pathname !== SHARE_PATH) return;
  event.respondWith(receiveSharedFile(request));
});

scope.addEventListener("message", (event) => {
  if (event.data?.type === "PAGE") event.waitUntil(notePage(event, event.data));
});

showNotifications(self as unknown as Parameters<typeof showNotifications>[0]);

serwist.addEventListeners();
