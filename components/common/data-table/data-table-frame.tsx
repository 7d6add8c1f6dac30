"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, type TransitionStartFunction, useContext, useTransition } from "react";
import { Link, type LinkProps } from "@/components/common/link";
import { useReportPending } from "@/components/common/pending/pending-store";
import { cn } from "@/components/ui/cn";
import { IDS } from "./ids";
import { useTableView, type ViewColumn } from "./table-view";

type TableTransition = { pending: boolean; start: TransitionStartFunction };

const TableTransitionContext = createContext<TableTransition>({ pending: false, start: (run) => void run() });

/** Whether the table is loading another page, and a function that starts loading. */
export function useTableTransition(): TableTransition {
  return useContext(TableTransitionContext);
}

/** The frame of a table. Components in it that change the URL dim the current rows until the new ones arrive. */
export function DataTableFrame({
  columnKeys = [],
  hideable = [],
  toolbar,
  children,
}: {
  /** The keys of all columns, in order; none if columns cannot be hidden. */
  columnKeys?: readonly string[];
  /** The columns that can be hidden. */
  hideable?: readonly ViewColumn[];
  toolbar: ReactNode;
  children: ReactNode;
}) {
  const [{ hidden, dense }] = useTableView(hideable);
  // The style sheet hides columns by their place, so that the cells stay as the server renders them.
  const places = columnKeys.flatMap((key, index) => (hidden.includes(key) ? [index + 1] : []));
  const [pending, start] = useTransition();
  useReportPending(pending);
  return (
    <TableTransitionContext value={{ pending, start }}>
      <div
        data-slot="data-table"
        data-hide={places.length > 0 ? places.join(" ") : undefined}
        data-dense={dense || undefined}
        data-without-ids={hidden.includes(IDS) || undefined}
        className="flex min-w-0 flex-col gap-3"
      >
        {toolbar}
        <div
          aria-busy={pending}
          className={cn("flex min-w-0 flex-col gap-3 transition-opacity", pending && "opacity-60")}
        >
          {children}
        </div>
      </div>
    </TableTransitionContext>
  );
}

/** A link that changes what the table shows. */
export function TableLink(props: Omit<LinkProps, "navigate">) {
  const router = useRouter();
  const { start } = useTableTransition();
  return (
    <Link
      prefetch={false}
      {...props}
      navigate={(href, { scroll } = {}) => start(() => router.push(href, { scroll }))}
    />
  );
}
