/** A link to another site, without a referrer. */
export function OutsideLink({ href }: { href: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="break-all text-link underline underline-offset-4 hover:no-underline"
    >
      {href}
    </a>
  );
}

/** Whether a text consists of a single URL. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}
