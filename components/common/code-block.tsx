import { CopyButton } from "./copy-button";

export type CodeBlockProps = {
  /** What the code is, such as "Command". */
  label: string;
  code: string;
};

/** Preformatted text, usually a shell command, with a copy button. What does not fit scrolls. */
export function CodeBlock({ label, code }: CodeBlockProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-center justify-between gap-3">
        <span className="font-medium">{label}</span>
        <CopyButton value={code} label={label} size="sm" />
      </div>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="max-h-[min(28rem,60vh)] overflow-auto rounded-lg border border-border bg-muted px-3 py-2.5 [scrollbar-width:thin]"
      >
        <pre className="w-fit font-mono text-[0.8125rem] leading-5">{code}</pre>
      </section>
    </div>
  );
}
