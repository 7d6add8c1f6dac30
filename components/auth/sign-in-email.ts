/** The email with which the next sign-in in this tab starts. It is kept in the tab, not in the URL. */
const KEY = "slipway.sign-in-email";

export function rememberSignInEmail(email: string): void {
  try {
    sessionStorage.setItem(KEY, email);
  } catch {
    // Without storage, the field is empty.
  }
}

/** Returns the remembered email, once. */
export function takeSignInEmail(): string | null {
  try {
    const email = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return email;
  } catch {
    return null;
  }
}
