"use client";

import { Quote } from "lucide-react";
import type { ReactNode } from "react";

/** What an access means in one sentence, above the buttons of a dialog. */
export function PlainWordsNote({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
      tabIndex={0}
      className="flex max-h-32 shrink-0 items-start gap-2.5 overflow-y-auto border-border border-t bg-muted px-5 py-2.5 focus-visible:outline-offset-[-2px]"
    >
      <Quote aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="font-medium text-muted-foreground text-xs leading-4.5">{label}</p>
        <output aria-live="polite" className="text-pretty break-words leading-5">
          {children}
        </output>
      </div>
    </section>
  );
}
