import { useTranslations } from "next-intl";

/** A link to the page of the documentation that explains what is shown, in a new tab. @param href below `PAGES.docs` */
export function DocsLink({ href }: { href: string }) {
  const t = useTranslations("common");
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="inline-flex min-h-6 w-fit items-center text-link underline underline-offset-4 hover:no-underline"
    >
      {t("docsLink")}
    </a>
  );
}
