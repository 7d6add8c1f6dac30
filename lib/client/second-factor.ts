/**
 * Asks the user to confirm their second factor.
 * @returns whether they did; null if the session has to pass its second factor first, which leads to another page
 * @throws ApiCallError if the server does not say how the user can confirm it
 */
type SecondFactorQuestion = () => Promise<boolean | null>;

/** What asks the user on the pages that are shown. */
type Asker = { ask: SecondFactorQuestion; removed: PromiseWithResolvers<false> };

let asker: Asker | null = null;
let asking: Promise<boolean | null> | null = null;

/**
 * Registers what asks the user, on the pages after the sign-in.
 * @returns what removes it. A question that is not answered by then is not confirmed, because its dialog is gone.
 */
export function onSecondFactorNeeded(ask: SecondFactorQuestion): () => void {
  const added: Asker = { ask, removed: Promise.withResolvers() };
  asker = added;
  return () => {
    if (asker === added) asker = null;
    added.removed.resolve(false);
  };
}

/** Asks the user once, no matter how many calls need it at the same time. @returns null also if nothing can ask */
export function askForSecondFactor(): Promise<boolean | null> {
  if (asker === null) return Promise.resolve(null);
  asking ??= Promise.race([asker.ask(), asker.removed.promise]).finally(() => {
    asking = null;
  });
  return asking;
}
