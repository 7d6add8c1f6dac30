"use client";

import { deviceFromBrowser, reportedVersion } from "@slipway/installers";
import { useTranslations } from "next-intl";
import { Controller } from "react-hook-form";
import { z } from "zod";
import { FormField } from "@/components/common/form/form-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { deviceHints } from "@/components/common/releases/device-hints";
import type { DialogProps } from "@/components/common/use-dialog";
import { Textarea } from "@/components/ui/textarea";
import { useOperation } from "@/lib/client/use-operation";
import { feedbackFields, MAX_FEEDBACK_TEXT } from "@/lib/features/feedback/schema";
import { PictureField } from "./picture-field";
import { RatingField } from "./rating-field";

const schema = z.object({
  text: feedbackFields.text,
  rating: z.number().nullable(),
  picture: z.custom<File>().nullable(),
});

/** What the browser tells of its device. The server has the User-Agent alone, with which an iPad is a Mac. */
async function deviceFacts(): Promise<Record<string, string>> {
  const { userAgent, platform, maxTouchPoints } = navigator;
  const hints = await deviceHints();
  const device = deviceFromBrowser({ userAgent, platform, maxTouchPoints, ...hints });
  const osVersion = reportedVersion(device);
  return { device: device.os, ...(osVersion && { osVersion }), ...(hints?.model && { model: hints.model }) };
}

export type GiveFeedbackDialogProps = DialogProps & {
  release: { id: string; name: string };
};

/** The form for feedback on a release. */
export function GiveFeedbackDialog({ release, open, onOpenChange }: GiveFeedbackDialogProps) {
  const t = useTranslations("feedback");
  const create = useOperation("feedback/create-feedback");
  const form = useZodForm(schema, { defaultValues: { text: "", rating: null, picture: null } });
  const { control } = form;

  const send = async ({ text, rating, picture }: z.output<typeof schema>) => {
    const data = new FormData();
    const fields = { releaseId: release.id, text, ...(rating !== null && { rating: String(rating) }) };
    for (const [name, value] of Object.entries({ ...fields, ...(await deviceFacts()) })) data.append(name, value);
    // The server decides by the fields before it whether to take it.
    if (picture) data.append("screenshot", picture);
    return create.run(data);
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("giveTitle", { name: release.name })}
      description={t("giveDescription")}
      form={form}
      onSubmit={send}
      successNotice={() => t("sent")}
      refreshes
      submitLabel={t("send")}
    >
      <FormField control={control} name="text" label={t("text")} hint={t("textHint")}>
        {(field) => <Textarea {...field} dir="auto" rows={5} maxLength={MAX_FEEDBACK_TEXT} />}
      </FormField>
      <Controller
        control={control}
        name="rating"
        render={({ field }) => <RatingField value={field.value} onChange={field.onChange} />}
      />
      <Controller
        control={control}
        name="picture"
        render={({ field }) => <PictureField value={field.value} onChange={field.onChange} />}
      />
    </FormDialog>
  );
}
