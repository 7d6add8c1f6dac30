import { LanguageSwitch } from "@/components/common/language-switch";
import { ThemeToggle } from "@/components/common/theme-toggle";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { BrandLink } from "./brand-link";
import type { ShellBrand } from "./types";

export type PublicHeaderProps = {
  brand: ShellBrand;
  /** Whether the brand's link opens a new document, for pages that have not the texts of others. */
  newDocument?: boolean;
};

/** The bar of a page outside the shell: the brand, the language and the theme. */
export function PublicHeader({ brand, newDocument = false }: PublicHeaderProps) {
  return (
    <header className="flex h-14 items-center justify-between gap-3 px-4 lg:px-6">
      <BrandLink brand={brand} href={PAGES.signIn} newDocument={newDocument} />
      <div className="flex items-center gap-1">
        <LanguageSwitch />
        <ThemeToggle />
      </div>
    </header>
  );
}
