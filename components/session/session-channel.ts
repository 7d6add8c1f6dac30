/** What the tabs of one browser tell each other about the session. */
export type SessionMessage =
  | { type: "signed-in"; userId: string }
  | { type: "renewed"; exp: number }
  | { type: "signed-out" };

const CHANNEL = "slipway.session";

let channel: BroadcastChannel | undefined;

// One channel object for the page: what it posts reaches the other tabs and never itself.
function ownChannel(): BroadcastChannel {
  channel ??= new BroadcastChannel(CHANNEL);
  return channel;
}

/** Tells the other tabs. */
export function tellOtherTabs(message: SessionMessage): void {
  ownChannel().postMessage(message);
}

/**
 * Listens to the other tabs.
 * @returns stops listening
 */
export function onOtherTabs(listener: (message: SessionMessage) => void): () => void {
  const listen = (event: MessageEvent<SessionMessage>) => listener(event.data);
  ownChannel().addEventListener("message", listen);
  return () => ownChannel().removeEventListener("message", listen);
}
