/** Errors that nobody caught before the code that reports them is loaded; the first ones. */
const MAX_WAITING = 5;

type Reporter = (error: unknown) => void;

let waiting: unknown[] = [];
let reporter: Reporter | undefined;

/** Reports an error that the page handles itself by showing it. Without error reporting, nothing happens. */
export function reportError(error: unknown): void {
  if (reporter) reporter(error);
  else if (waiting.length < MAX_WAITING) waiting.push(error);
}

/** Reports the errors that wait, and all others from now on. */
export function setErrorReporter(report: Reporter): void {
  reporter = report;
  const errors = waiting;
  waiting = [];
  errors.forEach(report);
}
