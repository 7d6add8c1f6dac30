"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { findListed } from "@/components/common/form/find-listed";
import { FormField } from "@/components/common/form/form-field";
import { SearchField } from "@/components/common/form/search-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import type { SearchOption, SearchOptions } from "@/components/common/search-list";
import type { DialogProps } from "@/components/common/use-dialog";
import { Input } from "@/components/ui/input";
import { query } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import { createDeviceInput, type Device, updateDeviceInput } from "@/lib/features/devices/schema";

const searchUsers: SearchOptions = async (search, signal) => {
  const { items } = await query("auth/get-users", { search, status: "active", limit: 20 }, { signal });
  return items.map(({ id, firstNames, lastNames, email }) => ({
    value: id,
    label: `${firstNames} ${lastNames}`,
    description: email,
  }));
};

/** Adds a device by its UDID. */
export function CreateDeviceDialog({ open, onOpenChange }: DialogProps) {
  const t = useTranslations("devices");
  const create = useOperation("devices/create-device");
  const [user, setUser] = useState<SearchOption | null>(null);
  const form = useZodForm(createDeviceInput, {
    defaultValues: { name: "", udid: "", userId: null, model: "", osVersion: "" },
  });
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("create")}
      description={t("createDescription")}
      form={form}
      onSubmit={create.run}
      successNotice={({ name }) => t("createdNotice", { name })}
      refreshes
      submitLabel={t("create")}
    >
      <FormField control={form.control} name="name" label={t("name")}>
        {(field) => <Input {...field} autoComplete="off" />}
      </FormField>
      <FormField control={form.control} name="udid" label="UDID" hint={t("udidHint")}>
        {(field) => <Input {...field} autoComplete="off" spellCheck={false} className="font-mono" />}
      </FormField>
      <SearchField
        control={form.control}
        name="userId"
        label={t("owner")}
        hint={t("ownerHint")}
        optional
        option={user}
        search={searchUsers}
        placeholder={t("nobody")}
        none={t("nobody")}
        onChoose={setUser}
      />
      <FormField control={form.control} name="model" label={t("model")} hint={t("modelHint")} optional>
        {({ value, ...field }) => <Input {...field} value={value ?? ""} autoComplete="off" spellCheck={false} />}
      </FormField>
      <FormField control={form.control} name="osVersion" label={t("version")} optional>
        {({ value, ...field }) => <Input {...field} value={value ?? ""} autoComplete="off" inputMode="decimal" />}
      </FormField>
    </FormDialog>
  );
}

const ownerOption = ({ id, firstNames, lastNames }: NonNullable<Device["user"]>): SearchOption => ({
  value: id,
  label: `${firstNames} ${lastNames}`,
});

/** Changes a device: its owner the name, administrators also whose it is. */
export function UpdateDeviceDialog({
  device,
  all,
  open,
  onOpenChange,
}: DialogProps & { device: Device; all: boolean }) {
  const t = useTranslations("devices");
  const common = useTranslations("common");
  const update = useOperation("devices/update-device", { quiet: ["conflict"] });
  const { id, name } = device;
  const [owners, setOwners] = useState<SearchOption[]>(() => (device.user ? [ownerOption(device.user)] : []));
  const form = useZodForm(updateDeviceInput, {
    defaultValues: { id, name, ...(all && { userId: device.user?.id ?? null }) },
  });
  const userId = useWatch({ control: form.control, name: "userId" });
  const load = async () => {
    // A search for a whole UDID finds its devices.
    const search = device.udid ? { search: device.udid } : {};
    const found = await findListed(id, (page) =>
      all ? query("devices/get-devices", { ...search, ...page }) : query("devices/get-own-devices", page),
    );
    if (!found) return null;
    const { updatedAt, name, user: owner } = found;
    if (owner) setOwners((known) => [...known, ownerOption(owner)]);
    return { updatedAt, values: { name, ...(all && { userId: owner?.id ?? null }) } };
  };
  const ownerOf = (id: unknown) => owners.find(({ value }) => value === id) ?? null;
  const conflict = useEditConflict({
    form,
    updatedAt: device.updatedAt,
    load,
    fields: [
      { name: "name", label: t("name") },
      ...(all
        ? [
            {
              name: "userId" as const,
              label: t("owner"),
              show: (value: unknown) => ownerOf(value)?.label ?? t("nobody"),
            },
          ]
        : []),
    ],
  });
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("update", { name })}
      form={form}
      onSubmit={(values) => conflict.save((ifUpdatedAt) => update.run({ ...values, ifUpdatedAt }))}
      successNotice={({ name }) => t("updated", { name })}
      refreshes
      submitLabel={common("save")}
    >
      <EditConflictNotice form={form} conflict={conflict} />
      <FormField control={form.control} name="name" label={t("name")}>
        {(field) => <Input {...field} autoComplete="off" />}
      </FormField>
      {all && (
        <SearchField
          control={form.control}
          name="userId"
          label={t("owner")}
          optional
          option={ownerOf(userId)}
          search={searchUsers}
          placeholder={t("nobody")}
          none={t("nobody")}
          onChoose={(option) => setOwners((known) => [...known, option])}
        />
      )}
    </FormDialog>
  );
}
