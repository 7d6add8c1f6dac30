import type { OperationOutput } from "@/lib/client/operation-types";
import type { ReleaseFile } from "@/lib/features/release-files/schema";

/** How many images the page has of a file, and how many programs without symbols. */
const SHOWN_IMAGES = 50;

/** A further file as the page of a release shows it. */
export type ShownFile = Pick<
  ReleaseFile,
  "id" | "kind" | "name" | "size" | "createdAt" | "mayDownload" | "mapping" | "symbols"
>;

/** The further files of a release as its page shows them. */
export interface ShownFiles {
  items: ShownFile[];
  total: number;
  symbols: OperationOutput<"apps/get-release-files">["symbols"];
}

/** Leaves out what the page does not show, because it is sent with the page. */
export function shownFiles({ items, total, symbols }: OperationOutput<"apps/get-release-files">): ShownFiles {
  return {
    total,
    symbols: symbols && { ...symbols, missingItems: symbols.missingItems.slice(0, SHOWN_IMAGES) },
    items: items.map(({ id, kind, name, size, createdAt, mayDownload, mapping, symbols: found }) => ({
      id,
      kind,
      name,
      size,
      createdAt,
      mayDownload,
      mapping,
      symbols: found && { ...found, items: found.items.slice(0, SHOWN_IMAGES) },
    })),
  };
}

/** The URL that a further file is downloaded from. */
export function fileDownloadPath(id: string): string {
  return `/api/apps/download-release-file?${new URLSearchParams({ id })}`;
}
