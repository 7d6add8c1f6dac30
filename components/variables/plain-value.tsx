"use client";

import { CopyButton } from "@/components/common/copy-button";
import { useVariableValue } from "./use-variable-value";

export type PlainValueProps = {
  id: string;
  /** The variable's key, which the copy button is named after. */
  name: string;
  /** The beginning of the value, on one line. */
  shown: string;
  /** Whether `shown` is the whole value. */
  isWhole: boolean;
};

/** The value of a development variable in a list, with a copy button. Only its beginning is part of the page. */
export function PlainValue({ id, name, shown, isWhole }: PlainValueProps) {
  const load = useVariableValue("dev-variable", id);
  return (
    <span className="flex min-w-0 items-center gap-1">
      <code className="min-w-0 flex-1 truncate font-mono text-[0.8125rem]">
        {shown}
        {!isWhole && "…"}
      </code>
      <CopyButton
        value={isWhole ? shown : load}
        label={name}
        iconOnly
        className="relative z-1 shrink-0 text-muted-foreground max-lg:hidden max-lg:in-data-open:inline-flex"
      />
    </span>
  );
}
