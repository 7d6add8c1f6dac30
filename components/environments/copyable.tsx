import { CopyButton } from "@/components/common/copy-button";
import type { Fact } from "@/components/common/facts";

/** A value in a fixed-width font with a button that copies it. */
export function Copyable({ label, value }: { label: string; value: string }) {
  return (
    <span className="-my-1 flex min-w-0 items-center gap-1">
      <code className="min-w-0 flex-1 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{value}</code>
      <CopyButton value={value} label={label} iconOnly />
    </span>
  );
}

/** A name with a value that can be copied. */
export function copyable(label: string, value: string): Fact {
  return { label, value: <Copyable label={label} value={value} /> };
}
