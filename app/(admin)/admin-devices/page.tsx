import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "@/components/common/page-header";
import { CreateDeviceButton, ImportDevicesButton } from "@/components/devices/device-actions";
import { DevicesTable } from "@/components/devices/devices-table";
import { call, requireAdmin } from "@/lib/api/call";
import { getDevices } from "@/lib/features/devices/operations/get-devices";
import { getDevicesInput } from "@/lib/features/devices/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("devices");
  return { title: t("all") };
}

/** The devices of all users. */
export default async function AdminDevicesPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const input = listQuery(getDevicesInput, await searchParams);
  const [t, devices] = await Promise.all([getTranslations("devices"), call(getDevices, input)]);
  return (
    <>
      <PageHeader
        title={t("all")}
        description={t("allDescription")}
        secondary={<ImportDevicesButton />}
        action={<CreateDeviceButton />}
      />
      <DevicesTable {...devices} all />
    </>
  );
}
