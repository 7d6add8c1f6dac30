/** Problems that the page shows where they were caused. */
const shown = new WeakSet<object>();

/** Tells that the page shows a problem where it was caused, so that no notification repeats it. */
export function showInPlace(problem: object): void {
  shown.add(problem);
}

/**
 * Shows a failure as a notification unless the form or the dialog that caused it does. These have their result before the next task.
 * @param notify shows the notification
 */
export function notifyUnlessShown(problem: object, notify: () => void): void {
  setTimeout(() => {
    if (!shown.has(problem)) notify();
  });
}
