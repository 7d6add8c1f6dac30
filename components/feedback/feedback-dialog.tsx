"use client";

import { useTranslations } from "next-intl";
import { z } from "zod";
import { DateTime } from "@/components/common/date-time";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { findListed } from "@/components/common/form/find-listed";
import { FormField } from "@/components/common/form/form-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { openedDevice } from "@/components/common/releases/opened-device";
import type { DialogProps } from "@/components/common/use-dialog";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Textarea } from "@/components/ui/textarea";
import { query } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import { type Feedback, MAX_FEEDBACK_NOTE } from "@/lib/features/feedback/schema";
import { Rating } from "./rating";

const schema = z.object({ note: z.string().max(MAX_FEEDBACK_NOTE) });

export type FeedbackDialogProps = DialogProps & { feedback: Feedback };

/** Feedback with its picture, and the note of the team about it. */
export function FeedbackDialog(props: FeedbackDialogProps) {
  return props.feedback.mayChange ? <WithNoteForm {...props} /> : <ReadOnly {...props} />;
}

function useTitle({ version, buildNumber }: Feedback): string {
  const t = useTranslations("feedback");
  return t("details", { name: `${version} (${buildNumber})` });
}

function WithNoteForm({ feedback, open, onOpenChange }: FeedbackDialogProps) {
  const t = useTranslations("feedback");
  const title = useTitle(feedback);
  const update = useOperation("feedback/update-feedback", { quiet: ["conflict"] });
  const form = useZodForm(schema, { defaultValues: { note: feedback.note ?? "" } });
  const load = async () => {
    const { id, app, releaseId } = feedback;
    const place = releaseId ? { releaseId } : { appId: app.id };
    const found = await findListed(id, (page) => query("feedback/get-feedback", { ...place, ...page }));
    return found && { updatedAt: found.updatedAt, values: { note: found.note ?? "" } };
  };
  const conflict = useEditConflict({
    form,
    updatedAt: feedback.updatedAt,
    load,
    fields: [{ name: "note", label: t("note") }],
  });
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={<Facts feedback={feedback} />}
      form={form}
      onSubmit={({ note }) => conflict.save((ifUpdatedAt) => update.run({ id: feedback.id, ifUpdatedAt, note }))}
      successNotice={() => t("noteSaved")}
      refreshes
      submitLabel={t("saveNote")}
    >
      <Content feedback={feedback} />
      <EditConflictNotice form={form} conflict={conflict} />
      <FormField control={form.control} name="note" label={t("note")} hint={t("noteHint")} optional>
        {(field) => <Textarea {...field} dir="auto" rows={3} maxLength={MAX_FEEDBACK_NOTE} />}
      </FormField>
    </FormDialog>
  );
}

function ReadOnly({ feedback, open, onOpenChange }: FeedbackDialogProps) {
  const t = useTranslations("feedback");
  const title = useTitle(feedback);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription>
            <Facts feedback={feedback} />
          </DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-4 pb-5">
          <Content feedback={feedback} />
          {feedback.note && (
            <div className="flex flex-col gap-1">
              <p className="font-medium leading-5">{t("note")}</p>
              <p dir="auto" className="whitespace-pre-line break-words leading-5">
                {feedback.note}
              </p>
            </div>
          )}
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}

function Facts({ feedback }: { feedback: Feedback }) {
  const t = useTranslations("feedback");
  const { author, model, createdAt, environment } = feedback;
  const device = openedDevice(feedback, t("devices.desktop"));
  return (
    <span className="flex flex-wrap gap-x-2">
      <span>{author?.name ?? t(author ? "unnamedLink" : "someone")}</span>
      <span>{environment.name}</span>
      <span>{model ? `${model} · ${device}` : device}</span>
      <DateTime date={createdAt} />
    </span>
  );
}

function Content({ feedback: { text, rating, screenshotUrl } }: { feedback: Feedback }) {
  const t = useTranslations("feedback");
  return (
    <>
      {rating !== null && <Rating rating={rating} />}
      <p dir="auto" className="whitespace-pre-line break-words leading-5">
        {text}
      </p>
      {screenshotUrl && (
        <a
          href={screenshotUrl}
          target="_blank"
          rel="noreferrer"
          aria-label={t("openPicture")}
          className="self-start rounded-md border border-border"
        >
          {/* biome-ignore lint/performance/noImgElement: the picture is only for those who may read the release */}
          <img
            src={screenshotUrl}
            alt={t("pictureAlt")}
            loading="lazy"
            className="max-h-96 max-w-full rounded-md object-contain"
          />
        </a>
      )}
    </>
  );
}
