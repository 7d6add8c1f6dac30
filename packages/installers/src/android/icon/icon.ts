import { readIcon } from "../../image/icon";
import { encodePng } from "../../image/png";
import { MAX_ICON_BYTES } from "../../limits";
import type { InstallerIcon } from "../../types";
import { type ResourceTable, type ResourceValue, resolveAll } from "../resources/resource-table";
import { DrawingBudget } from "./canvas";
import { drawIcon, type ResourceFiles } from "./drawable";

/** The number of files that are read to find the icon. */
const MAX_FILES = 24;

/**
 * Finds the icon of an app: for the first of `values` that resolves to an image, the variant for the highest density. An
 * adaptive icon or a vector is drawn. If a part of it is not supported, a bitmap of the same icon for older systems is
 * preferred to the incomplete drawing.
 * @returns null when there is none
 */
export async function findAndroidIcon(
  values: readonly ResourceValue[],
  table: ResourceTable,
  files: ResourceFiles,
  signal: AbortSignal,
): Promise<InstallerIcon | null> {
  const seen = new Set<string>();
  const budget = new DrawingBudget();
  for (const value of values) {
    let incomplete: InstallerIcon | null = null;
    for (const candidate of resolveAll(table, value)) {
      if (candidate.value.type !== "string" || seen.has(candidate.value.value) || seen.size >= MAX_FILES) continue;
      seen.add(candidate.value.value);
      const bytes = await files.read(candidate.value.value, MAX_ICON_BYTES);
      const image = bytes && (await readIcon(bytes, signal));
      if (image) return image;
      const root = bytes && files.parseXml(bytes);
      const drawn = root && (await drawIcon(root, table, files, budget, signal));
      if (!drawn) continue;
      const { width, height, rgba } = drawn.pixels;
      const icon: InstallerIcon = {
        bytes: await encodePng(width, height, rgba),
        contentType: "image/png",
        width,
        height,
      };
      if (drawn.complete) return icon;
      incomplete ??= icon;
    }
    if (incomplete) return incomplete;
  }
  return null;
}
