/**
 * Whether a page of another site sent a form to the path to which the installed app shares files. What another app shares has no
 * referrer; a page may hide its own, so that this keeps out only pages that do not.
 */
export function isFromAnotherSite(request: Pick<Request, "referrer">, ownOrigin: string): boolean {
  const { referrer } = request;
  if (referrer === "" || referrer === "about:client") return false;
  const sender = URL.parse(referrer);
  return /^https?:$/.test(sender?.protocol ?? "") && sender?.origin !== ownOrigin;
}
