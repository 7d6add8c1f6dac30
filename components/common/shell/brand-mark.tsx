import { cn } from "@/components/ui/cn";

export type BrandMarkProps = {
  /** The logo of the app config; null for the product's own. */
  logoUrl: string | null;
  className?: string;
};

/** The logo beside the name; decorative, because the name is next to it. */
export function BrandMark({ logoUrl, className }: BrandMarkProps) {
  return (
    // biome-ignore lint/performance/noImgElement: the address is the file store's, already small
    <img
      src={logoUrl ?? "/brand.svg"}
      alt=""
      className={cn("size-7 shrink-0 rounded-[25%] object-contain", className)}
    />
  );
}
