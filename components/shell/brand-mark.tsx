import { cn } from "@/components/ui/cn";

export type BrandMarkProps = {
  /** The logo of the app config; without one, the product's own mark. */
  logoUrl: string | null;
  className?: string;
};

/** The logo beside the name; decorative, as the name is written next to it. */
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
