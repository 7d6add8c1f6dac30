import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";
import { RelativeTime } from "@/components/common/relative-time";
import { Card, CardTitle } from "@/components/ui/card";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { Device } from "@/lib/features/devices/schema";
import { PAGES, pagePath } from "@/lib/kernel/navigation/pages";
import { DeviceMenu } from "./device-actions";
import { deviceSystem } from "./device-system";

export type PersonDevicesProps = {
  /** The full name of the person. */
  name: string;
  devices: OperationOutput<"devices/get-devices">;
};

/** The devices that a person registered, the newest ones first. */
export function PersonDevices({ name, devices: { items, total } }: PersonDevicesProps) {
  const t = useTranslations("people.person.devices");
  const title = useTranslations("devices")("all");
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 lg:px-5">
        <CardTitle>{title}</CardTitle>
        {total > items.length && (
          <HoverLink
            href={pagePath(PAGES.adminDevices, { search: name })}
            className="inline-flex min-h-6 items-center text-link hover:underline"
          >
            {t("all", { count: total })}
          </HoverLink>
        )}
      </div>
      {items.length === 0 ? (
        <p className="px-4 pb-4 text-muted-foreground lg:px-5">{t("none")}</p>
      ) : (
        <ul aria-label={title} className="divide-y divide-border border-border border-t">
          {items.map((device) => (
            <DeviceLine key={device.id} device={device} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function DeviceLine({ device }: { device: Device }) {
  const t = useTranslations("devices");
  const { name, model, modelName, lastSeenAt } = device;
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-2 lg:px-5">
      <span className="flex min-w-0 flex-col">
        <span title={name} className="truncate font-medium">
          {name}
        </span>
        <span className="break-words text-muted-foreground text-xs leading-4.5">
          {[deviceSystem(device, t("systems.desktop")), modelName ?? model].filter(Boolean).join(" · ")}
          {lastSeenAt && (
            <>
              {" · "}
              {t("lastSeen")} <RelativeTime date={lastSeenAt} />
            </>
          )}
        </span>
      </span>
      <DeviceMenu device={device} all />
    </li>
  );
}
