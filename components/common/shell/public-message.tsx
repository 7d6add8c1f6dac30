import { MessagePage, type MessagePageProps } from "./message-page";
import { PublicHeader } from "./public-header";
import type { ShellBrand } from "./types";

export type PublicMessageProps = Omit<MessagePageProps, "inShell"> & { brand: ShellBrand };

/** A page outside the shell with a single message, under the brand's bar. */
export function PublicMessage({ brand, ...message }: PublicMessageProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <PublicHeader brand={brand} />
      <main className="flex flex-1 flex-col pb-14">
        <MessagePage {...message} inShell />
      </main>
    </div>
  );
}
