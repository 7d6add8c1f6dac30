export type NotifyOptions = {
  /** What to do about it, in one sentence. */
  description?: string;
  /** A way to take it back, where there is one. */
  action?: { label: string; onClick: () => void };
};

export type Notification = NotifyOptions & {
  tone: "success" | "info" | "warning" | "error";
  title: string;
};

type Listener = () => void;

let waiting: readonly Notification[] = [];
const listeners = new Set<Listener>();

function add(tone: Notification["tone"], title: string, options: NotifyOptions = {}): void {
  waiting = [...waiting, { tone, title, ...options }];
  for (const listener of listeners) listener();
}

/**
 * Shows titled notifications, top right, for five seconds. An error has a button that keeps it open.
 * The texts are already in the reader's language.
 */
export const notify = {
  success: (title: string, options?: NotifyOptions) => add("success", title, options),
  info: (title: string, options?: NotifyOptions) => add("info", title, options),
  warning: (title: string, options?: NotifyOptions) => add("warning", title, options),
  error: (title: string, options?: NotifyOptions) => add("error", title, options),
};

/** Calls `listener` when a notification arrives. @returns what stops it */
export function onNotification(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether notifications wait to be shown. */
export function hasNotifications(): boolean {
  return waiting.length > 0;
}

/** Takes all that wait, oldest first. */
export function takeNotifications(): readonly Notification[] {
  const taken = waiting;
  waiting = [];
  return taken;
}
