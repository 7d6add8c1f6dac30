/** The dialogs that an address can ask its page to open. */
export const REQUESTABLE_DIALOGS = [
  "create-app",
  "create-permission",
  "create-platform",
  "create-role",
  "create-token",
  "create-webhook",
  "feedback",
  "invite",
  "promote",
  "share",
  "upload",
] as const;

export type RequestedDialog = (typeof REQUESTABLE_DIALOGS)[number];

const DIALOG_PARAMETER = "open";
/** The beginning of the parameters that a dialog starts with, such as `open.purpose`. */
const DETAIL_PREFIX = `${DIALOG_PARAMETER}.`;

/**
 * The address of a page that opens a dialog. Where the dialog is about a record, the address of the page names it.
 *
 * @param details what the dialog starts with; never a secret, because addresses are stored in histories and logs
 */
export function dialogPath(
  path: string,
  dialog: RequestedDialog,
  details: Readonly<Record<string, string>> = {},
): string {
  const [address = "", fragment] = path.split("#", 2);
  const [pathname = "", search] = address.split("?", 2);
  const query = new URLSearchParams(search);
  query.set(DIALOG_PARAMETER, dialog);
  for (const [name, value] of Object.entries(details)) query.set(DETAIL_PREFIX + name, value);
  return `${pathname}?${query}${fragment === undefined ? "" : `#${fragment}`}`;
}

/** The dialog that a query asks for; null if it names none or an unknown one, or more than one. */
export function requestedDialog(query: URLSearchParams): RequestedDialog | null {
  const [name, ...others] = query.getAll(DIALOG_PARAMETER);
  return (others.length === 0 && REQUESTABLE_DIALOGS.find((dialog) => dialog === name)) || null;
}

/** The rest of an address after its dialog has opened: path, other parameters and fragment. */
export function withoutRequest({ pathname, search, hash }: Pick<URL, "pathname" | "search" | "hash">): string {
  const query = new URLSearchParams(search);
  for (const name of [...query.keys()]) {
    if (name === DIALOG_PARAMETER || name.startsWith(DETAIL_PREFIX)) query.delete(name);
  }
  return `${pathname}${query.size > 0 ? `?${query}` : ""}${hash}`;
}
