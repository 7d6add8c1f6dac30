/**
 * Asks the user to confirm their second factor.
 * @returns whether they did; null if the session has to pass its second factor first, which leads to another page
 * @throws ApiCallError if the server does not say how the user can confirm it
 */
type SecondFactorQuestion = () => Promise<boolean | null>;

let question: SecondFactorQuestion | null = null;
let asking: Promise<boolean | null> | null = null;

/** Registers what asks the user, on the pages after the sign-in. @returns what removes it */
export function onSecondFactorNeeded(next: SecondFactorQuestion): () => void {
  question = next;
  return () => {
    if (question === next) question = null;
  };
}

/** Asks the user once, no matter how many calls need it at the same time. @returns null also if nothing can ask */
export function askForSecondFactor(): Promise<boolean | null> {
  if (question === null) return Promise.resolve(null);
  asking ??= question().finally(() => {
    asking = null;
  });
  return asking;
}
