import type { ReactNode } from "react";
import { PageHeader } from "@/components/common/page-header";
import { LinkTabs } from "./link-tabs";

/** A tab of a page: its name in the messages, the value of `tab` in its address (the first one has none), its icon. */
export type PageTab<Key extends string> = { key: Key; tab?: string; icon: ReactNode };

/** Which tab an address asks for; the first where it asks for none that there is. */
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

/** The head of a page whose parts each have an address of their own, around the content of one. */
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
