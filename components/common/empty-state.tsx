import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { DocsLink } from "./docs-link";

export type EmptyStateProps = {
  icon: ReactNode;
  title: ReactNode;
  /** What appears here and how to add it. */
  description?: ReactNode;
  /** The next step: a button or link. */
  action?: ReactNode;
  /** The page of the documentation that explains it. */
  docs?: string;
  className?: string;
};

/** Shown if there is nothing yet, with the action that changes it. */
export function EmptyState({ icon, title, description, action, docs, className }: EmptyStateProps) {
  return (
    <div
      data-slot="empty-state"
      className={cn(
        "flex flex-col items-center justify-center gap-4 rounded-lg border border-border border-dashed px-6 py-14 text-center",
        className,
      )}
    >
      <div
        aria-hidden
        className="flex size-10 items-center justify-center rounded-lg border border-border bg-card text-muted-foreground [&>svg]:size-4.5"
      >
        {icon}
      </div>
      <div className="flex max-w-sm flex-col gap-1">
        <p className="text-balance font-medium">{title}</p>
        {description && <p className="text-pretty text-muted-foreground leading-5">{description}</p>}
      </div>
      {action}
      {docs && <DocsLink href={docs} />}
    </div>
  );
}
