/** The messages about the session between the tabs of a browser. */
type SessionMessage = { type: "signed-in"; userId: string } | { type: "renewed"; exp: number } | { type: "signed-out" };

const CHANNEL = "slipway.session";

let channel: BroadcastChannel | undefined;

// One channel object for the page, because a channel does not deliver messages to itself.
function ownChannel(): BroadcastChannel {
  channel ??= new BroadcastChannel(CHANNEL);
  return channel;
}

/** Sends a message to the other tabs. */
export function notifyOtherTabs(message: SessionMessage): void {
  ownChannel().postMessage(message);
}

/**
 * Listens to messages of the other tabs.
 * @returns a function that stops listening
 */
export function onOtherTabs(listener: (message: SessionMessage) => void): () => void {
  const listen = (event: MessageEvent<SessionMessage>) => listener(event.data);
  ownChannel().addEventListener("message", listen);
  return () => ownChannel().removeEventListener("message", listen);
}
