"use client";

import { Download, FileUp, Pencil, Plus } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { saveFile } from "@/components/common/save-file";
import { useDialog } from "@/components/common/use-dialog";
import { useMenuDeletion } from "@/components/common/use-menu-deletion";
import { Button } from "@/components/ui/button";
import { downloadFile } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useNotifiedCall } from "@/lib/client/use-operation";
import { DEVICE_SYSTEMS } from "@/lib/features/devices/rules";
import type { Device } from "@/lib/features/devices/schema";

// Loaded when they are opened for the first time, not with the list.
const CreateDeviceDialog = lazyDialog(() => import("./device-dialog").then((file) => file.CreateDeviceDialog));
const UpdateDeviceDialog = lazyDialog(() => import("./device-dialog").then((file) => file.UpdateDeviceDialog));
const AppleDialog = lazyDialog(() => import("./apple-dialog").then((file) => file.AppleDialog));
const ImportDialog = lazyDialog(() => import("./import-dialog").then((file) => file.ImportDialog));

/** Opens the form that adds a device by its UDID. */
export function CreateDeviceButton() {
  const t = useTranslations("devices");
  return (
    <DialogButton dialog={(dialog) => <CreateDeviceDialog {...dialog} />}>
      <Plus aria-hidden />
      {t("create")}
    </DialogButton>
  );
}

/** Opens the import of Apple's file. */
export function ImportDevicesButton() {
  const t = useTranslations("devices");
  return (
    <DialogButton variant="secondary" dialog={(dialog) => <ImportDialog {...dialog} />}>
      <FileUp aria-hidden />
      {t("import.action")}
    </DialogButton>
  );
}

/** Opens the registration of all iPhones and iPads with Apple. */
export function AppleDevicesButton() {
  const t = useTranslations("devices.coverage");
  return (
    <DialogButton variant="secondary" dialog={(dialog) => <AppleDialog {...dialog} />}>
      {t("register")}
    </DialogButton>
  );
}

/** Saves the devices that the table shows, on all pages, in Apple's format. */
export function ExportDevicesButton({ disabled }: { disabled: boolean }) {
  const t = useTranslations("devices");
  const parameters = useSearchParams();
  const call = useNotifiedCall();
  const os = DEVICE_SYSTEMS.find((system) => system === parameters.get("os"));
  const search = parameters.get("search");
  const save = async () => {
    const input = { ...(os && { os }), ...(search && { search }) };
    const file = await call(() => downloadFile("devices/export-devices", input));
    if (file) saveFile(file, file.name);
  };
  return (
    <Button variant="secondary" disabled={disabled} title={t("exportHint")} onClick={() => void save()}>
      <Download aria-hidden className="text-muted-foreground" />
      {t("export")}
    </Button>
  );
}

/** The menu of a device in the list. */
export function DeviceMenu({ device, all }: { device: Device; all: boolean }) {
  const t = useTranslations("devices");
  const common = useTranslations("common");
  const { id, name } = device;
  const update = useDialog();
  const deletion = useMenuDeletion(
    "devices/delete-device",
    { id },
    { title: t("deleteTitle", { name }), description: t("deleteDescription") },
    () => notify.success(t("deleted", { name })),
  );
  return (
    <>
      <ActionMenu
        name={name}
        actions={[{ label: common("edit"), icon: <Pencil aria-hidden />, onSelect: update.show }, deletion.action]}
      />
      <OpenedDialog state={update}>
        {(dialog) => <UpdateDeviceDialog device={device} all={all} {...dialog} />}
      </OpenedDialog>
      {deletion.dialog}
    </>
  );
}
