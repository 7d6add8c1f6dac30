import { beforeEach, expect, it, vi } from "vitest";
import { showNotifications } from "./notifications";

const ORIGIN = "https://slipway.example";

type Listener = (event: Record<string, unknown>) => void;

/** A worker of a browser with two pages. */
function aWorker(pages: readonly string[] = []) {
  const listeners: Record<string, Listener> = {};
  const shown: { title: string; options: NotificationOptions }[] = [];
  const focused: string[] = [];
  const opened: string[] = [];
  const windows = pages.map((url) => ({ url, focus: async () => focused.push(url) }));
  showNotifications({
    registration: {
      showNotification: async (title: string, options: NotificationOptions) => void shown.push({ title, options }),
    } as unknown as ServiceWorkerRegistration,
    clients: { matchAll: async () => windows, openWindow: async (url) => opened.push(url) },
    addEventListener: (type: string, listener: unknown) => {
      listeners[type] = listener as Listener;
    },
  });
  const dispatch = async (type: string, event: object) => {
    const work: Promise<unknown>[] = [];
    listeners[type]?.({ ...event, waitUntil: (one: Promise<unknown>) => work.push(one) });
    await Promise.all(work);
  };
  const push = async (data: unknown) => {
    await dispatch("push", { data: { json: () => (data === undefined ? JSON.parse("{") : data) } });
    return shown.at(-1);
  };
  const click = async (data: unknown) => {
    const close = vi.fn();
    await dispatch("notificationclick", { notification: { data, close } });
    expect(close).toHaveBeenCalled();
    return { focused, opened };
  };
  return { push, click };
}

beforeEach(() => {
  vi.stubGlobal("location", new URL(`${ORIGIN}/sw.js`));
});

it("a message is shown as a notification that replaces the one before of the application", async () => {
  const message = { title: "Acme 2.4.0 (118)", body: "Faster start", url: "/releases?id=1", tag: "app-1", lang: "es" };
  expect(await aWorker().push(message)).toMatchObject({
    title: "Acme 2.4.0 (118)",
    options: { body: "Faster start", tag: "app-1", lang: "es", renotify: true, data: `${ORIGIN}/releases?id=1` },
  });
});

it("a message that cannot be read is shown too, as browsers require", async () => {
  expect(await aWorker().push(undefined)).toMatchObject({
    title: "slipway.example",
    options: { body: "", renotify: false, data: `${ORIGIN}/` },
  });
});

it.each(["https://evil.example/", "//evil.example/x", "javascript:alert(1)", "http://slipway.example/", 7, "https://"])(
  "a notification opens no page elsewhere: %s",
  async (url) => {
    const shown = await aWorker().push({ title: "x", url });
    expect(shown?.options.data).toBe(`${ORIGIN}/`);
    expect((await aWorker().click(url)).opened).toEqual([`${ORIGIN}/`]);
  },
);

it("a click opens the page, or shows the window that has it", async () => {
  const url = `${ORIGIN}/releases?id=1`;
  expect(await aWorker([`${ORIGIN}/home`]).click(url)).toEqual({ focused: [], opened: [url] });
  expect(await aWorker([`${ORIGIN}/home`, url]).click(url)).toEqual({ focused: [url], opened: [] });
});
