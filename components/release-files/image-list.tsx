import type { SymbolImage } from "@slipway/installers";
import { Check, Minus } from "lucide-react";
import { useTranslations } from "next-intl";

export type ImageListProps = {
  images: readonly (SymbolImage & { matched?: boolean | null })[];
  /** How many there are; those that are not listed are counted. */
  total: number;
};

/** Programs or symbols by their UUIDs. */
export function ImageList({ images, total }: ImageListProps) {
  const t = useTranslations("releaseFiles");
  return (
    <>
      <ul className="flex flex-col divide-y divide-border">
        {images.map(({ uuid, name, architecture, matched }) => (
          <li key={uuid} className="flex min-w-0 items-start gap-2.5 py-2 first:pt-0 last:pb-0">
            {matched != null && (
              <span className="mt-0.5 shrink-0">
                {matched ? (
                  <Check aria-hidden className="size-4 text-success" />
                ) : (
                  <Minus aria-hidden className="size-4 text-muted-foreground" />
                )}
                <span className="sr-only">{t(matched ? "ofThisBuild" : "ofNoProgram")}</span>
              </span>
            )}
            <span className="flex min-w-0 flex-col gap-0.5">
              <span className="break-words leading-5">
                {name} <span className="text-muted-foreground text-xs">{architecture}</span>
              </span>
              <span className="break-all font-mono text-muted-foreground text-xs">{uuid}</span>
            </span>
          </li>
        ))}
      </ul>
      {total > images.length && (
        <p className="pt-2 text-muted-foreground text-xs">{t("more", { count: total - images.length })}</p>
      )}
    </>
  );
}
