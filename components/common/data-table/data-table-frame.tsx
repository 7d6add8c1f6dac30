"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useRef, useTransition } from "react";
import { Link, type LinkProps } from "@/components/common/link";
import { useReportPending } from "@/components/common/pending/pending-store";
import { cn } from "@/components/ui/cn";
import { IDS } from "./ids";
import { tableUrl } from "./table-url";
import { useTableView, type ViewColumn } from "./table-view";

/** Parameters of the address and their new values; null removes a parameter. */
type AddressChanges = Record<string, string | null>;

type TableAddress = {
  /** Whether the table is loading another page. */
  pending: boolean;
  /** Changes parameters of the address and loads that page of the table. */
  change: (changes: AddressChanges, options?: { replace?: boolean; scroll?: boolean }) => void;
};

const TableAddressContext = createContext<TableAddress | null>(null);

/** The address of the table that the component is in. */
export function useTableAddress(): TableAddress {
  const address = useContext(TableAddressContext);
  if (!address) throw new Error("useTableAddress is used outside DataTableFrame");
  return address;
}

function useAddress(): TableAddress {
  const router = useRouter();
  const [pending, start] = useTransition();
  // The address shows a change only when its page has arrived: a further change builds on the requested address.
  const requested = useRef<URLSearchParams>(null);
  useEffect(() => {
    if (!pending) requested.current = null;
  }, [pending]);

  const change: TableAddress["change"] = (changes, { replace = false, scroll } = {}) => {
    const shown = new URLSearchParams(window.location.search);
    // A cursor continues the list that is shown.
    const href = tableUrl(changes.cursor ? shown : (requested.current ?? shown), changes);
    requested.current = new URLSearchParams(href.slice(1));
    start(() => (replace ? router.replace : router.push)(href, { scroll }));
  };
  return { pending, change };
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
  const address = useAddress();
  const { pending } = address;
  useReportPending(pending);
  return (
    <TableAddressContext value={address}>
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
    </TableAddressContext>
  );
}

export type TableLinkProps = Omit<LinkProps, "href" | "navigate"> & {
  /** What the link changes in the address. */
  changes: AddressChanges;
};

/** A link that changes what the table shows. Outside a table, it opens the page with the changed address. */
export function TableLink({ changes, ...props }: TableLinkProps) {
  const query = useSearchParams();
  const table = useContext(TableAddressContext);
  return (
    <Link
      prefetch={false}
      {...props}
      href={tableUrl(query, changes)}
      navigate={table ? (_, { scroll } = {}) => table.change(changes, { scroll }) : undefined}
    />
  );
}
