"use client";

import { hydratedLater } from "../hydrated-later";

// A list is read before it is searched, filtered or turned to its next page.
export const DataTablePagination = hydratedLater(() =>
  import("./data-table-pagination").then((file) => file.DataTablePagination),
);
export const DataTableToolbar = hydratedLater(() =>
  import("./data-table-toolbar").then((file) => file.DataTableToolbar),
);
