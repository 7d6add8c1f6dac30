import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

export type MessagePageProps = {
  icon: ReactNode;
  title: ReactNode;
  description: ReactNode;
  /** One or two buttons or links. */
  children: ReactNode;
  /** Whether it is rendered in the shell, which already provides `main` and the bars. */
  inShell?: boolean;
};

/** A whole page with a single message, such as "not found" or a failure. */
export function MessagePage({ icon, title, description, children, inShell = false }: MessagePageProps) {
  const Area = inShell ? "div" : "main";
  return (
    <Area
      className={cn(
        "flex flex-col items-center justify-center gap-6 px-6 py-16 text-center",
        inShell ? "flex-1" : "min-h-dvh",
      )}
    >
      <div
        aria-hidden
        className="flex size-12 items-center justify-center rounded-xl border border-border bg-card text-muted-foreground [&>svg]:size-5"
      >
        {icon}
      </div>
      <div className="flex max-w-md flex-col gap-2">
        <h1 className="text-balance font-semibold text-xl tracking-tight">{title}</h1>
        <p className="text-pretty text-muted-foreground leading-6">{description}</p>
      </div>
      <div className="flex flex-wrap items-center justify-center gap-2">{children}</div>
    </Area>
  );
}
