import { cn } from "@/components/ui/cn";
import { CopyButton } from "./copy-button";

export type CodeBlockProps = {
  /** What the lines are: "Command". */
  label: string;
  code: string;
  className?: string;
};

/** Lines to take away, a shell command as a rule, exactly as they are, with their copy button; long ones scroll. */
export function CodeBlock({ label, code, className }: CodeBlockProps) {
  return (
    <div className={cn("flex min-w-0 flex-col gap-1.5", className)}>
      <div className="flex items-center justify-between gap-3">
        <span className="font-medium">{label}</span>
        <CopyButton value={code} label={label} size="sm" />
      </div>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
        tabIndex={0}
        className="overflow-x-auto rounded-lg border border-border bg-muted px-3 py-2.5 [scrollbar-width:thin]"
      >
        <pre className="w-fit font-mono text-[0.8125rem] leading-5">{code}</pre>
      </section>
    </div>
  );
}
