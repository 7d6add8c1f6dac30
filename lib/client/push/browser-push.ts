/**
 * Whether this browser shows notifications: `install` on an iPhone or iPad, where only apps of the Home Screen can · `denied` by the user ·
 * `on` if it is subscribed, which the server has to know too · `off`
 */
export type PushState = "unsupported" | "install" | "denied" | "off" | "on";

/** A subscription as the console keeps it. */
interface BrowserSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

function isIphoneOrIpad(): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  );
}

/** Whether this browser can show notifications of websites, or could from the Home Screen. */
export function pushSupport(): "supported" | "unsupported" | "install" {
  const isSupported = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  if (isSupported) return "supported";
  return isIphoneOrIpad() && window.isSecureContext ? "install" : "unsupported";
}

function base64UrlBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

const base64Url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** The SHA-256 of an endpoint in base64url, by which the server names a browser. */
export async function endpointHash(endpoint: string): Promise<string> {
  return base64Url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
}

/** Whether a subscription was made with the console's key. Another console may have been at this address. */
function isOfKey({ options }: PushSubscription, key: string): boolean {
  return options.applicationServerKey !== null && base64Url(options.applicationServerKey) === key;
}

function toBrowserSubscription(subscription: PushSubscription): BrowserSubscription {
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint ?? "", keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" } };
}

/** The state of this browser, and its subscription if it has one. */
export async function readPushState(
  worker: ServiceWorkerRegistration,
  key: string,
): Promise<{ state: PushState; subscription: BrowserSubscription | null }> {
  if (Notification.permission === "denied") return { state: "denied", subscription: null };
  const subscription = await worker.pushManager.getSubscription();
  const isOn = subscription !== null && Notification.permission === "granted" && isOfKey(subscription, key);
  return isOn
    ? { state: "on", subscription: toBrowserSubscription(subscription) }
    : { state: "off", subscription: null };
}

/**
 * Asks the user and subscribes this browser. To be called by a click.
 * @returns `denied` if the user does not allow it
 */
export async function subscribeBrowser(
  worker: ServiceWorkerRegistration,
  key: string,
): Promise<BrowserSubscription | "denied"> {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  const before = await worker.pushManager.getSubscription();
  if (before && !isOfKey(before, key)) await before.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: base64UrlBytes(key) };
  return toBrowserSubscription(await worker.pushManager.subscribe(options));
}

/** Ends the subscription of this browser; its push service then refuses messages. */
export async function unsubscribeBrowser(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const worker = await navigator.serviceWorker.getRegistration();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
}
