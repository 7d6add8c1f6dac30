import { TESTER_WORKER_PATH } from "@/lib/kernel/push-message";
import { pushSupport, readPushState, subscribeBrowser } from "../push/browser-push";
import { clearIcon } from "./notifications";

// The script of the page of a tester without an account. It shows the part on notifications, which needs scripts.

/** The states that the part has a text for. */
type Shown = "off" | "on" | "denied" | "install" | "failed";

const part = document.getElementById("push") as HTMLElement | null;

function show(state: Shown): void {
  if (!part) return;
  for (const element of part.querySelectorAll<HTMLElement>("[data-state]")) {
    element.hidden = !element.dataset.state?.split(" ").includes(state);
  }
  part.hidden = false;
}

/** Tells the console of the browser. @param action `push` adds it, `push-off` removes it */
async function tell(action: "push" | "push-off", fields: Record<string, string>): Promise<void> {
  const { status } = await fetch(`${location.pathname}/${action}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "error",
  });
  if (status !== 204) throw new Error(`the console answered ${status}`);
}

async function start(): Promise<void> {
  void clearIcon().catch(() => {});
  const key = part?.dataset.key;
  if (!part || !key) return;
  const support = pushSupport();
  if (support === "install") return show("install");
  if (support === "unsupported") return;
  const worker = await navigator.serviceWorker.register(TESTER_WORKER_PATH, { scope: location.pathname });
  const refresh = async () => {
    const { state, subscription } = await readPushState(worker, key);
    // The console may not know the browser: an earlier call failed, or another browser of the tester replaced this one.
    if (subscription) {
      const { endpoint, keys } = subscription;
      try {
        await tell("push", { endpoint, ...keys });
      } catch {
        return show("failed");
      }
    }
    if (state === "on" || state === "off" || state === "denied") show(state);
  };
  const [turnOn, turnOff] = part.querySelectorAll("button");
  turnOn?.addEventListener("click", async () => {
    turnOn.disabled = true;
    try {
      await subscribeBrowser(worker, key);
      await refresh();
    } catch {
      show("failed");
    }
    turnOn.disabled = false;
  });
  turnOff?.addEventListener("click", async () => {
    turnOff.disabled = true;
    try {
      const subscription = await worker.pushManager.getSubscription();
      if (subscription) {
        await tell("push-off", { endpoint: subscription.endpoint });
        await subscription.unsubscribe();
      }
      await refresh();
    } catch {
      show("failed");
    }
    turnOff.disabled = false;
  });
  await refresh();
}

// Without a worker, as in private windows of some browsers, the page stays as it is.
start().catch(() => {});
