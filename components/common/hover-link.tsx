"use client";

import { type ComponentProps, useState } from "react";
import { Link } from "@/components/common/link";

/**
 * A link that prefetches its page when it is hovered or focused, not when it becomes visible: a list or a navigation
 * would prefetch dozens of pages that are never opened.
 */
export function HoverLink({ onMouseEnter, onFocus, ...props }: ComponentProps<typeof Link>) {
  const [prefetching, setPrefetching] = useState(false);
  return (
    <Link
      {...props}
      prefetch={prefetching ? null : false}
      onMouseEnter={(event) => {
        setPrefetching(true);
        onMouseEnter?.(event);
      }}
      onFocus={(event) => {
        setPrefetching(true);
        onFocus?.(event);
      }}
    />
  );
}
