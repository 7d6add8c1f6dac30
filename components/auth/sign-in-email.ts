// In memory only: it is for the next page, and nothing personal is stored in the browser.
let remembered: string | null = null;

/** Remembers an email for the sign-in page, if it is opened next without loading the document again. */
export function rememberSignInEmail(email: string): void {
  remembered = email;
}

/** Returns the remembered email, once. */
export function takeSignInEmail(): string | null {
  const email = remembered;
  remembered = null;
  return email;
}
