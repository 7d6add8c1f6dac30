import { BadgeCheck, TabletSmartphone } from "lucide-react";
import { useTranslations } from "next-intl";
import { createdAtColumn } from "@/components/common/data-table/created-at-column";
import { DataTable, type DataTableColumn } from "@/components/common/data-table/data-table";
import { EmptyState } from "@/components/common/empty-state";
import { RelativeTime } from "@/components/common/relative-time";
import type { OperationOutput } from "@/lib/client/operation-types";
import { DEVICE_SYSTEMS } from "@/lib/features/devices/rules";
import type { Device } from "@/lib/features/devices/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { AppleDevicesButton, DeviceMenu, ExportDevicesButton } from "./device-actions";
import { deviceSystem } from "./device-system";
import { RegisterDeviceButton } from "./register-button";

export type DevicesTableProps = OperationOutput<"devices/get-devices"> & {
  /** Whether these are the devices of all users, which administrators see. */
  all?: boolean;
};

/** The table of devices: one's own, or those of all users. */
export function DevicesTable({ items, all = false, ...page }: DevicesTableProps) {
  const t = useTranslations("devices");
  const owner: DataTableColumn<Device>[] = all
    ? [
        {
          key: "user",
          header: t("owner"),
          className: "lg:max-w-52",
          phone: "fact",
          cell: (item) => <Owner {...item} />,
        },
      ]
    : [];
  return (
    <DataTable
      label={t(all ? "all" : "mine")}
      rows={items}
      {...page}
      search={all ? t("search") : false}
      defaultSort="-createdAt"
      filters={
        all
          ? [
              {
                key: "os",
                label: t("system"),
                options: DEVICE_SYSTEMS.map((value) => ({ value, label: t(`systems.${value}`) })),
              },
            ]
          : []
      }
      toolbarEnd={
        all && (
          <>
            <AppleDevicesButton />
            <ExportDevicesButton disabled={page.total === 0} />
          </>
        )
      }
      columns={[
        { key: "name", header: t("name"), sort: "name", className: "lg:max-w-64", cell: (item) => <Name {...item} /> },
        ...owner,
        {
          key: "system",
          header: t("system"),
          phone: all ? undefined : "fact",
          cell: (item) => <System {...item} />,
        },
        {
          key: "udid",
          header: "UDID",
          className: "lg:max-w-56",
          hide: "narrow",
          cell: ({ udid }) => <Udid udid={udid} />,
        },
        {
          key: "lastSeenAt",
          header: t("lastSeen"),
          ...(all && { sort: "lastSeenAt" }),
          className: "text-muted-foreground",
          cell: ({ lastSeenAt }) => (lastSeenAt ? <RelativeTime date={lastSeenAt} /> : t("never")),
        },
        createdAtColumn(t("created"), "narrow"),
      ]}
      rowActions={(item) => <DeviceMenu device={item} all={all} />}
      empty={
        <EmptyState
          icon={<TabletSmartphone />}
          title={t(all ? "emptyAll" : "empty")}
          description={t(all ? "emptyAllDescription" : "emptyDescription")}
          {...(!all && { action: <RegisterDeviceButton /> })}
          docs={`${PAGES.docs}/devices`}
        />
      }
    />
  );
}

function Name({ name, model, modelName, attested }: Device) {
  const t = useTranslations("devices");
  const below = modelName ?? model;
  return (
    <span className="flex min-w-0 flex-col">
      <span className="flex min-w-0 items-center gap-1.5">
        <span title={name} className="truncate">
          {name}
        </span>
        {attested && (
          <BadgeCheck role="img" aria-label={t("attested")} className="size-3.5 shrink-0 text-success">
            <title>{t("attested")}</title>
          </BadgeCheck>
        )}
      </span>
      {/* Phones show it with the system. */}
      {below && <span className="truncate font-normal text-muted-foreground text-xs max-lg:hidden">{below}</span>}
    </span>
  );
}

function System(device: Device) {
  const t = useTranslations("devices");
  const model = device.modelName ?? device.model;
  return (
    <>
      {deviceSystem(device, t("systems.desktop"))}
      {model && <span className="lg:hidden"> · {model}</span>}
    </>
  );
}

function Owner({ user }: Device) {
  const t = useTranslations("devices");
  if (!user) return <span className="text-muted-foreground">{t("nobody")}</span>;
  return (
    <span className="flex min-w-0 flex-col">
      <span className="truncate">{`${user.firstNames} ${user.lastNames}`}</span>
      <span title={user.email} className="truncate text-muted-foreground text-xs max-lg:hidden">
        {user.email}
      </span>
    </span>
  );
}

function Udid({ udid }: { udid: string | null }) {
  if (udid === null) return <span className="text-muted-foreground">—</span>;
  return (
    <span
      title={udid}
      className="block select-all truncate font-mono text-xs max-lg:break-all max-lg:whitespace-normal"
    >
      {udid}
    </span>
  );
}
