import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { isFiltered } from "@/components/common/data-table/is-filtered";
import { PageHeader } from "@/components/common/page-header";
import { DevicesTable } from "@/components/devices/devices-table";
import { RegisterDeviceButton } from "@/components/devices/register-button";
import { call, requireUser } from "@/lib/api/call";
import { getOwnDevices } from "@/lib/features/devices/operations/get-own-devices";
import { getOwnDevicesInput } from "@/lib/features/devices/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("devices");
  return { title: t("mine") };
}

/** The devices of the user. */
export default async function DevicesPage({ searchParams }: QueryPageProps) {
  await requireUser();
  const query = await searchParams;
  const input = listQuery(getOwnDevicesInput, query);
  const [t, devices] = await Promise.all([getTranslations("devices"), call(getOwnDevices, input)]);
  return (
    <>
      <PageHeader
        title={t("mine")}
        description={t("mineDescription")}
        action={(devices.total > 0 || isFiltered(query)) && <RegisterDeviceButton />}
      />
      <DevicesTable {...devices} />
    </>
  );
}
