"use client";

import { type ReactNode, useEffect, useRef } from "react";

export type AuthPanelProps = {
  title: ReactNode;
  description?: ReactNode;
  /** Shown above the form: for example, that HTTPS is required or that a link has expired. */
  notice?: ReactNode;
  /** Shown below the form: for example, a link back. */
  footer?: ReactNode;
  /** Whether the panel replaces another: its title then receives the focus, so that assistive technology reads it. */
  replaces?: boolean;
  children?: ReactNode;
};

/** The content of a page before the sign-in. */
export function AuthPanel({ title, description, notice, footer, replaces = false, children }: AuthPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (replaces) heading.current?.focus();
  }, [replaces]);
  return (
    <div className="flex w-full max-w-sm flex-col gap-6">
      <div className="flex flex-col gap-1.5">
        <h1
          ref={heading}
          tabIndex={replaces ? -1 : undefined}
          className="text-balance font-semibold text-2xl leading-8 tracking-tight outline-none"
        >
          {title}
        </h1>
        {description && <p className="text-pretty text-muted-foreground leading-5">{description}</p>}
      </div>
      {notice}
      {children}
      {footer && <div className="text-center text-muted-foreground">{footer}</div>}
    </div>
  );
}
