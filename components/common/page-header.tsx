import { ChevronLeft } from "lucide-react";
import { useTranslations } from "next-intl";
import { Fragment, type ReactNode } from "react";
import { Breadcrumb, BreadcrumbItem, BreadcrumbList, BreadcrumbSeparator } from "@/components/ui/breadcrumb";
import { cn } from "@/components/ui/cn";
import { HoverLink } from "./hover-link";

export type Crumb = { label: string; href: string };

export type PageHeaderProps = {
  title: ReactNode;
  description?: ReactNode;
  /** Shown in front of the title: an application's icon, a logo. */
  media?: ReactNode;
  /** Shown next to the title: a status. */
  badge?: ReactNode;
  /** The parent pages, outermost first; the current page is added from `title`. */
  breadcrumbs?: Crumb[];
  /** The current page's entry in the breadcrumbs instead of `title`, such as a menu of its siblings. */
  crumb?: ReactNode;
  /** The primary action; on phones it stays at the bottom of the screen. */
  action?: ReactNode;
  /** Secondary actions, beside the primary one on desktops and next to the title on phones. */
  secondary?: ReactNode;
};

/** The head of a page: breadcrumbs, title and primary action. */
export function PageHeader({
  title,
  description,
  media,
  badge,
  breadcrumbs = [],
  crumb,
  action,
  secondary,
}: PageHeaderProps) {
  const t = useTranslations("common");
  const parent = breadcrumbs.at(-1);
  return (
    <header data-slot="page-header" className="flex flex-col gap-2">
      {parent && (
        <HoverLink
          href={parent.href}
          className="relative -ml-1 inline-flex min-h-6 max-w-full items-center gap-0.5 self-start text-muted-foreground text-sm after:absolute after:inset-x-0 after:-inset-y-2.5 lg:not-in-data-[bare]:hidden"
        >
          <ChevronLeft aria-hidden className="size-4 shrink-0" />
          <span className="truncate">{parent.label}</span>
        </HoverLink>
      )}
      {/* Rendered by the page and moved to the shell's top bar, so that it is part of the first response. */}
      <Breadcrumb
        aria-label={t("breadcrumbs")}
        // Without `left`, it begins where the content begins.
        className="in-data-[bare]:hidden! fixed top-0 z-30 hidden h-(--shell-bar-height) max-w-[calc(min(100vw-var(--sidebar-width),80rem)-var(--shell-bar-end)-4rem)] items-center lg:flex"
      >
        <BreadcrumbList>
          {breadcrumbs.map((crumb, index) => (
            // Narrow bars show the nearest pages whole instead of all of them cut. The parent does not give way, so that a long name of the
            // page does not leave one letter of it.
            <Fragment key={crumb.href}>
              <BreadcrumbItem
                className={cn(
                  "max-w-44 xl:max-w-56",
                  index < breadcrumbs.length - 1 ? "shrink-10 max-xl:hidden" : "shrink-0",
                )}
              >
                <HoverLink href={crumb.href} title={crumb.label} className="truncate rounded-sm hover:text-foreground">
                  {crumb.label}
                </HoverLink>
              </BreadcrumbItem>
              <li aria-hidden className={cn("flex", index < breadcrumbs.length - 1 && "max-xl:hidden")}>
                <BreadcrumbSeparator />
              </li>
            </Fragment>
          ))}
          <BreadcrumbItem className="shrink-10">
            {crumb ?? (
              <span aria-current="page" className="truncate">
                {title}
              </span>
            )}
          </BreadcrumbItem>
        </BreadcrumbList>
      </Breadcrumb>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        {/* Actions that leave too little room for the title move below it. */}
        <div className="flex min-w-[min(100%,18rem)] flex-1 items-center gap-3.5">
          {media}
          <div className="flex min-w-0 flex-col gap-1">
            <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
              <h1 className="min-w-0 text-balance break-words font-semibold text-xl leading-7 tracking-tight">
                {title}
              </h1>
              {badge}
            </div>
            {description && (
              <p className="max-w-2xl text-pretty break-words text-muted-foreground leading-5">{description}</p>
            )}
          </div>
        </div>
        {(action || secondary) && (
          <div className="flex max-w-full flex-wrap items-center gap-2">
            {secondary}
            {action && (
              <div className="max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-30 max-lg:flex max-lg:border-border max-lg:border-t max-lg:bg-background max-lg:px-4 max-lg:pt-3 max-lg:pb-[max(0.75rem,env(safe-area-inset-bottom))] max-lg:[&>*]:h-11 max-lg:[&>*]:flex-1">
                {action}
              </div>
            )}
          </div>
        )}
      </div>
    </header>
  );
}
