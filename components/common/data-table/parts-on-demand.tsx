"use client";

import dynamic from "next/dynamic";

// Pages that can show a list and something else, such as tabs, load them only with the list.
export const DataTablePagination = dynamic(() =>
  import("./data-table-pagination").then((file) => file.DataTablePagination),
);
export const DataTableToolbar = dynamic(() => import("./data-table-toolbar").then((file) => file.DataTableToolbar));
