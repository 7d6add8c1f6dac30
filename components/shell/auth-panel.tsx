"use client";

import { type ReactNode, useEffect, useRef } from "react";

export type AuthPanelProps = {
  title: ReactNode;
  description?: ReactNode;
  /** Above the form: that HTTPS is needed, that a link has expired. */
  notice?: ReactNode;
  /** Below the form: the way back, the way to help. */
  footer?: ReactNode;
  /** It took the place of another: the focus goes to its title, so that it is heard. */
  replaces?: boolean;
  children?: ReactNode;
};

/** What a page before the sign-in says and asks. */
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
