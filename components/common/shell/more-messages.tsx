"use client";

import { type Messages, NextIntlClientProvider, useLocale, useMessages } from "next-intl";
import { type ReactNode, useMemo } from "react";

export type MoreMessagesProps = { messages: Partial<Messages>; children: ReactNode };

/** Gives a part of the pages further texts besides those that every page has. */
export function MoreMessages({ messages, children }: MoreMessagesProps) {
  const known = useMessages();
  const all = useMemo(() => ({ ...known, ...messages }), [known, messages]);
  return (
    <NextIntlClientProvider locale={useLocale()} messages={all}>
      {children}
    </NextIntlClientProvider>
  );
}
