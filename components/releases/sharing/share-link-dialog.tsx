"use client";

import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";
import { z } from "zod";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { findListed } from "@/components/common/form/find-listed";
import { FormField } from "@/components/common/form/form-field";
import { SelectField } from "@/components/common/form/select-field";
import { SwitchField } from "@/components/common/form/switch-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { releaseName } from "@/components/common/releases/release-name";
import type { DialogProps } from "@/components/common/use-dialog";
import { Input } from "@/components/ui/input";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import { MAX_INSTALLS, MAX_LINK_PASSWORD, type ShareLink } from "@/lib/features/share-links/schema";
import { nameSchema } from "@/lib/kernel/name-schema";
import type { ReleaseSummary } from "../release-summary";

const schema = z.object({
  target: z.enum(["release", "latest"]),
  name: nameSchema,
  password: z.string().max(MAX_LINK_PASSWORD),
  isPasswordRemoved: z.boolean(),
  expiresAt: z.string(),
  maxInstalls: z.string(),
  onlyPhones: z.boolean(),
  showNotes: z.boolean(),
});

export type ShareLinkDialogProps = DialogProps & {
  onSaved: (link: ShareLink) => void;
} & (
    | {
        /** What a new link opens, or the latest release of its environment. */
        release: Pick<ReleaseSummary, "id" | "version" | "buildNumber" | "environmentId">;
        link?: never;
      }
    | {
        release?: never;
        /** The link to change. */
        link: ShareLink;
      }
  );

/** A time as an input of the browser has it, in its own time zone. */
function localTime(instant: string | null): string {
  if (instant === null) return "";
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** A link as the form shows it; without one, that of a new link. */
function shownValues(link?: ShareLink) {
  return {
    name: link?.name ?? "",
    password: "",
    isPasswordRemoved: false,
    expiresAt: localTime(link?.expiresAt ?? null),
    maxInstalls: link?.maxInstalls?.toString() ?? "",
    onlyPhones: link?.onlyPhones ?? false,
    showNotes: link?.showNotes ?? true,
  };
}

/** Creates a link that needs no account, or changes one. */
export function ShareLinkDialog({ release, link, onSaved, open, onOpenChange }: ShareLinkDialogProps) {
  const t = useTranslations("shareLinks");
  const create = useOperation("share-links/create-share-link");
  const update = useOperation("share-links/update-share-link", { quiet: ["conflict"] });
  const form = useZodForm(schema, {
    defaultValues: { target: "release", ...shownValues(link) },
  });
  const { control } = form;
  const load = async () => {
    if (!link) return null;
    const { environment, release: opened } = link;
    const place = opened ? { releaseId: opened.id } : { environmentId: environment.id };
    const found = await findListed(link.id, (page) => query("share-links/get-share-links", { ...place, ...page }));
    return found && { updatedAt: found.updatedAt, values: shownValues(found) };
  };
  const conflict = useEditConflict({
    form,
    updatedAt: link?.updatedAt,
    load,
    fields: [
      { name: "name", label: t("name") },
      { name: "password", label: t("password"), isSecret: true },
      { name: "isPasswordRemoved", label: t("removePassword"), isSecret: true },
      { name: "expiresAt", label: t("expiresAt"), show: (value) => String(value).replace("T", " ") },
      { name: "maxInstalls", label: t("maxInstalls") },
      { name: "onlyPhones", label: t("onlyPhones") },
      { name: "showNotes", label: t("showNotes") },
    ],
  });
  const isPasswordRemoved = useWatch({ control, name: "isPasswordRemoved" });

  const submit = async ({
    target,
    password,
    isPasswordRemoved,
    expiresAt,
    maxInstalls,
    ...values
  }: z.output<typeof schema>) => {
    const settings = {
      ...values,
      expiresAt: expiresAt === "" ? null : new Date(expiresAt).toISOString(),
      maxInstalls: maxInstalls === "" ? null : Number(maxInstalls),
      ...(isPasswordRemoved ? { password: null } : password !== "" && { password }),
    };
    const result = await conflict.save((ifUpdatedAt) =>
      link
        ? update.run({ id: link.id, ifUpdatedAt, ...settings })
        : create.run({
            ...(target === "latest" ? { environmentId: release.environmentId } : { releaseId: release.id }),
            ...settings,
          }),
    );
    if (result.ok) {
      notify.success(t(link ? "saved" : "created", { name: result.data.name }));
      onSaved(result.data);
    }
    return result;
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={link ? t("editTitle", { name: link.name }) : t("createTitle")}
      description={t("description")}
      form={form}
      onSubmit={submit}
      submitLabel={t(link ? "save" : "create")}
    >
      <EditConflictNotice form={form} conflict={conflict} />
      <FormField control={control} name="name" label={t("name")} hint={t("nameHint")}>
        {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
      </FormField>
      {!link && (
        <SelectField
          control={control}
          name="target"
          label={t("target")}
          options={[
            { value: "release", label: t("thisBuild", { name: releaseName(release) }) },
            { value: "latest", label: t("latest") },
          ]}
        />
      )}
      <FormField
        control={control}
        name="password"
        label={t("password")}
        hint={t(link?.hasPassword ? "passwordKept" : "passwordHint")}
        optional
      >
        {(field) => (
          <Input
            {...field}
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_LINK_PASSWORD}
            disabled={isPasswordRemoved}
          />
        )}
      </FormField>
      {link?.hasPassword && (
        <SwitchField
          control={control}
          name="isPasswordRemoved"
          label={t("removePassword")}
          hint={t("removePasswordHint")}
        />
      )}
      <FormField control={control} name="expiresAt" label={t("expiresAt")} optional>
        {(field) => <Input {...field} type="datetime-local" />}
      </FormField>
      <FormField control={control} name="maxInstalls" label={t("maxInstalls")} hint={t("maxInstallsHint")} optional>
        {(field) => <Input {...field} type="number" inputMode="numeric" min={1} max={MAX_INSTALLS} />}
      </FormField>
      <SwitchField control={control} name="onlyPhones" label={t("onlyPhones")} hint={t("onlyPhonesHint")} />
      <SwitchField control={control} name="showNotes" label={t("showNotes")} hint={t("showNotesHint")} />
    </FormDialog>
  );
}
