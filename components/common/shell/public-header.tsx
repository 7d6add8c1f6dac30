import { LanguageSwitch } from "@/components/common/language-switch";
import { ThemeToggle } from "@/components/common/theme-toggle";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { BrandLink } from "./brand-link";
import type { ShellBrand } from "./types";

/** The bar of a page outside the shell: the brand, the language and the theme. */
export function PublicHeader({ brand }: { brand: ShellBrand }) {
  return (
    <header className="flex h-14 items-center justify-between gap-3 px-4 lg:px-6">
      <BrandLink brand={brand} href={PAGES.signIn} />
      <div className="flex items-center gap-1">
        <LanguageSwitch />
        <ThemeToggle />
      </div>
    </header>
  );
}
