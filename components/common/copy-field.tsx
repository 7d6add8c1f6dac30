import { cn } from "@/components/ui/cn";
import { CopyButton } from "./copy-button";

export type CopyFieldProps = {
  /** What the value is. */
  label: string;
  value: string;
  /** Hides the label if it is visible nearby; assistive technology still reads it. */
  hideLabel?: boolean;
  className?: string;
};

/** A value (address, token, hash) with a copy button. */
export function CopyField({ label, value, hideLabel = false, className }: CopyFieldProps) {
  return (
    <div className={cn("flex min-w-0 flex-col gap-1.5", className)}>
      <span className={hideLabel ? "sr-only" : "font-medium"}>{label}</span>
      <div className="flex min-w-0 items-center gap-1 rounded-lg border border-border bg-muted py-0.5 pr-0.5 pl-2.5">
        <code className="min-w-0 flex-1 break-all py-1 font-mono text-[0.8125rem]">{value}</code>
        <CopyButton value={value} label={label} iconOnly className="self-start" />
      </div>
    </div>
  );
}
