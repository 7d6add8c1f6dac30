"use client";

import dynamic from "next/dynamic";

// For lists that seldom need them.
export const DataTablePagination = dynamic(() =>
  import("./data-table-pagination").then((file) => file.DataTablePagination),
);
export const DataTableToolbar = dynamic(() => import("./data-table-toolbar").then((file) => file.DataTableToolbar));
