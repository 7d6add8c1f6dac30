import { Link } from "@/components/common/link";
import { cn } from "@/components/ui/cn";
import { BrandMark } from "./brand-mark";
import type { ShellBrand } from "./types";

export type BrandLinkProps = {
  brand: ShellBrand;
  href: string;
  collapsed?: boolean;
  newDocument?: boolean;
  onNavigate?: () => void;
};

/** Logo and name, linked to the start page. */
export function BrandLink({ brand, href, collapsed = false, newDocument = false, onNavigate }: BrandLinkProps) {
  const className = "flex min-w-0 items-center gap-2.5 rounded-md max-lg:min-h-11";
  const content = (
    <>
      <BrandMark logoUrl={brand.logoUrl} />
      <span className={cn("truncate font-semibold text-[0.9375rem] tracking-tight", collapsed && "sr-only")}>
        {brand.name}
      </span>
    </>
  );
  return newDocument ? (
    <a href={href} className={className}>
      {content}
    </a>
  ) : (
    <Link href={href} prefetch={false} onClick={onNavigate} className={className}>
      {content}
    </Link>
  );
}
