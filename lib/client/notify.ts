type NotifyOptions = {
  /** What to do next, in one sentence. */
  description?: string;
  /** A button, such as one to undo the change. */
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
 * Shows notifications at the top right for five seconds. An error has a button that keeps it open. The texts must be
 * translated.
 */
export const notify = {
  success: (title: string, options?: NotifyOptions) => add("success", title, options),
  info: (title: string, options?: NotifyOptions) => add("info", title, options),
  warning: (title: string, options?: NotifyOptions) => add("warning", title, options),
  error: (title: string, options?: NotifyOptions) => add("error", title, options),
};

/** Calls `listener` for each notification. @returns a function that removes the listener */
export function onNotification(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns whether there are notifications to show. */
export function hasNotifications(): boolean {
  return waiting.length > 0;
}

/** Removes and returns all notifications to show, oldest first. */
export function takeNotifications(): readonly Notification[] {
  const taken = waiting;
  waiting = [];
  return taken;
}
