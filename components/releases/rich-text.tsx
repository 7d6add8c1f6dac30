import type { ReactNode } from "react";

/** URLs in a text, without the punctuation that ends the sentence. */
const ADDRESS = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/gu;

/** Text as entered: line breaks are kept, and URLs become links. */
export function RichText({ text }: { text: string }) {
  const pieces: ReactNode[] = [];
  let end = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    pieces.push(text.slice(end, index), <OutsideLink key={index} href={address} />);
    end = index + address.length;
  }
  return (
    <p className="whitespace-pre-line text-pretty break-words leading-5.5">
      {pieces}
      {text.slice(end)}
    </p>
  );
}

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
