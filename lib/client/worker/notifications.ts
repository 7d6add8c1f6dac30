import type { PushMessage } from "@/lib/kernel/push-message";

/** The part of a worker's global scope that TypeScript's library for pages does not have. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface PushEvent extends WorkerEvent {
  data: { json(): unknown } | null;
}
interface NotificationClickEvent extends WorkerEvent {
  notification: Notification;
}
interface WindowClient {
  url: string;
  focus(): Promise<unknown>;
}
interface NotifyingScope {
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: "push", listener: (event: PushEvent) => void): void;
  addEventListener(type: "notificationclick", listener: (event: NotificationClickEvent) => void): void;
}

/** The number on the icon of the installed app, which a page sets back. */
const BADGE_CACHE = "badge";
const BADGE_KEY = "/badge";

/** Counts one more new version on the icon of the installed app, where the browser can. */
async function countOnIcon(): Promise<void> {
  if (!("setAppBadge" in navigator)) return;
  const cache = await caches.open(BADGE_CACHE);
  const count = Number((await (await cache.match(BADGE_KEY))?.text()) ?? 0) + 1;
  await cache.put(BADGE_KEY, new Response(String(count)));
  await navigator.setAppBadge(count);
}

/** Removes the number from the icon of the installed app, because somebody sees the new versions. For pages. */
export async function clearIcon(): Promise<void> {
  if (!("clearAppBadge" in navigator)) return;
  await caches.delete(BADGE_CACHE);
  await navigator.clearAppBadge();
}

function messageOf({ data }: PushEvent): Partial<PushMessage> {
  try {
    return (data?.json() ?? {}) as Partial<PushMessage>;
  } catch {
    return {};
  }
}

/** A page of the console; anything else is its first page. */
function ownPage(url: unknown): string {
  const { origin } = location;
  const page = typeof url === "string" && URL.canParse(url, origin) ? new URL(url, origin) : new URL(origin);
  return page.origin === origin ? page.href : `${origin}/`;
}

/** Shows messages of the console as notifications, and opens their pages. */
export function showNotifications(scope: NotifyingScope): void {
  scope.addEventListener("push", (event) => {
    const { title = location.host, body = "", url, tag = "", lang = "" } = messageOf(event);
    // Browsers require that each message is shown.
    const options = { body, tag, lang, renotify: tag !== "", icon: "/icon-192.png", data: ownPage(url) };
    const shown = scope.registration.showNotification(title, options);
    event.waitUntil(Promise.all([shown, countOnIcon().catch(() => {})]));
  });
  scope.addEventListener("notificationclick", (event) => {
    const { notification } = event;
    notification.close();
    const url = ownPage(notification.data);
    const open = async () => {
      const windows = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
      const shown = windows.find((one) => one.url === url);
      await (shown ? shown.focus() : scope.clients.openWindow(url));
    };
    event.waitUntil(open());
  });
}
