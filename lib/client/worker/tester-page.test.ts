import { beforeEach, expect, it, vi } from "vitest";

const KEY = "BKey";
const endpoint = "https://push.example/browser";
const keys = { p256dh: "point", auth: "secret" };
const PATH = "/t/secret";

/** A browser with the page of a tester, and the console's answers to it. */
function aBrowser({ isSubscribed }: { isSubscribed: boolean }) {
  const subscription = {
    endpoint,
    options: { applicationServerKey: Uint8Array.from(atob(`${KEY}`), (char) => char.charCodeAt(0)).buffer },
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => {
      state.subscription = null;
      return true;
    },
  };
  const state = {
    subscription: isSubscribed ? subscription : null,
    /** The status of the next answers; null without a connection. */
    status: 204 as number | null,
    told: [] as string[],
  };
  const pushManager = {
    getSubscription: async () => state.subscription,
    subscribe: async () => {
      state.subscription = subscription;
      return subscription;
    },
  };
  const element = (states: string) => ({ hidden: true, dataset: { state: states } });
  const elements = ["off", "on", "denied", "install", "failed"].map(element);
  const clicked: (() => Promise<void>)[] = [];
  const button = () => ({
    disabled: false,
    addEventListener: (_: string, listener: () => Promise<void>) => clicked.push(listener),
  });
  const part = {
    hidden: true,
    dataset: { key: KEY },
    querySelectorAll: (selector: string) => (selector === "button" ? [button(), button()] : elements),
  };
  const permission = { permission: "granted", requestPermission: async () => "granted" };
  vi.stubGlobal("document", { getElementById: () => part });
  vi.stubGlobal("location", { pathname: PATH });
  vi.stubGlobal("window", { PushManager: class {}, Notification: permission });
  vi.stubGlobal("Notification", permission);
  vi.stubGlobal("navigator", { serviceWorker: { register: async () => ({ pushManager }) } });
  vi.stubGlobal("fetch", async (path: string, { body }: { body: URLSearchParams }) => {
    if (state.status === null) throw new TypeError("Failed to fetch");
    state.told.push(`${path} ${body}`);
    return { status: state.status };
  });
  const shown = () =>
    part.hidden
      ? null
      : elements
          .filter(({ hidden }) => !hidden)
          .map(({ dataset }) => dataset.state)
          .join();
  return {
    state,
    /** Opens the page. @returns what it shows */
    async open(): Promise<string | null> {
      part.hidden = true;
      vi.resetModules();
      clicked.length = 0;
      await import("./tester-page");
      await expect.poll(() => part.hidden).toBe(false);
      return shown();
    },
    turnOn: async () => {
      await clicked[0]?.();
      return shown();
    },
    turnOff: async () => {
      await clicked[1]?.();
      return shown();
    },
  };
}

const TOLD = `${PATH}/push ${new URLSearchParams({ endpoint, ...keys })}`;

beforeEach(() => {
  vi.unstubAllGlobals();
});

it.each([null, 503, 429])(
  "a browser that subscribed while the console answered %s is told of when the page is opened again",
  async (status) => {
    const browser = aBrowser({ isSubscribed: false });
    expect(await browser.open()).toBe("off");
    browser.state.status = status;
    expect(await browser.turnOn()).toBe("failed");
    expect(await browser.open()).toBe("failed");
    browser.state.told = [];
    browser.state.status = 204;
    expect(await browser.open()).toBe("on");
    expect(browser.state.told).toEqual([TOLD]);
  },
);

it("a browser that another one replaced is told of when the page is opened, and not after it was turned off", async () => {
  const browser = aBrowser({ isSubscribed: true });
  expect(await browser.open()).toBe("on");
  expect(browser.state.told).toEqual([TOLD]);
  expect(await browser.turnOff()).toBe("off");
  browser.state.told = [];
  expect(await browser.open()).toBe("off");
  expect(browser.state.told).toEqual([]);
});

it("the button that turns notifications on tells the console once", async () => {
  const browser = aBrowser({ isSubscribed: false });
  await browser.open();
  expect(await browser.turnOn()).toBe("on");
  expect(browser.state.told).toEqual([TOLD]);
});
