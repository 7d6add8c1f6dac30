import type { ReactNode } from "react";

/** Addresses in a text, without the punctuation that ends their sentence. */
const ADDRESS = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/gu;

/** A text as somebody typed it: its lines stay, and addresses in it are links. */
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

/** A link that leaves the console and tells the other site nothing of it. */
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

/** Whether a text as a whole is an address that may be a link. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}
