import type { SearchOption } from "@/components/common/search-list";
import { Avatar } from "@/components/ui/avatar";
import { query } from "@/lib/client/client";

/** Number of applications that a search shows. */
const SHOWN_APPS = 20;

/** Finds applications by name and identifier, for administrators. */
export async function searchApps(search: string, signal: AbortSignal): Promise<SearchOption[]> {
  const { items } = await query("apps/get-apps", { search, limit: SHOWN_APPS }, { signal });
  return items.map(({ id, name, identifier, iconUrl }) => ({
    value: id,
    label: name,
    description: identifier,
    icon: <Avatar shape="square" name={name} src={iconUrl} className="size-5.5 text-[0.625rem]" />,
  }));
}
