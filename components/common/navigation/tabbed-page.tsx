import type { ReactNode } from "react";
import { PageHeader } from "@/components/common/page-header";
import { LinkTabs } from "./link-tabs";

/** A tab of a page: its key in the messages, its value of `tab` in the URL (the first tab has none) and its icon. */
export type PageTab<Key extends string> = { key: Key; tab?: string; icon: ReactNode };

/** The tab that a URL selects; the first tab if it selects none or an unknown one. */
export function currentTab<Key extends string>(
  tabs: readonly [PageTab<Key>, ...PageTab<Key>[]],
  tab: string | string[] | undefined,
): Key {
  return tabs.find((candidate) => candidate.tab !== undefined && candidate.tab === tab)?.key ?? tabs[0].key;
}

export type TabbedPageProps<Key extends string> = {
  title: string;
  description: string;
  action?: ReactNode;
  path: string;
  tabs: readonly PageTab<Key>[];
  current: Key;
  labelOf: (key: Key) => string;
  children?: ReactNode;
};

/** The head of a page whose sections have their own URLs, around the content of the current section. */
export function TabbedPage<Key extends string>({
  title,
  description,
  action,
  path,
  tabs,
  current,
  labelOf,
  children,
}: TabbedPageProps<Key>) {
  return (
    <>
      <PageHeader title={title} description={description} action={action} />
      <LinkTabs
        label={title}
        current={current}
        tabs={tabs.map(({ key, tab, icon }) => ({
          key,
          label: labelOf(key),
          href: tab ? `${path}?tab=${tab}` : path,
          icon,
        }))}
      />
      {children}
    </>
  );
}
