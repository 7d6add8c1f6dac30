"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useId, useState } from "react";
import { z } from "zod";
import { NOT_SUBMITTED } from "@/components/common/form/submit";
import { SwitchField } from "@/components/common/form/switch-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { releaseName } from "@/components/common/releases/release-name";
import type { DialogProps } from "@/components/common/use-dialog";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogClose,
  DialogContent,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { FieldError } from "@/components/ui/field";
import { Label } from "@/components/ui/label";
import { RadioGroup, RadioGroupItem } from "@/components/ui/radio-group";
import { Spinner } from "@/components/ui/spinner";
import { type ApiProblem, query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import type { OperationOutput } from "@/lib/client/operation-types";
import { useNotifiedCall, useOperation } from "@/lib/client/use-operation";
import { promoteTestingDeployInput } from "@/lib/features/releases/schema";
import { releasePath } from "@/lib/kernel/navigation/pages";
import type { ReleaseSummary } from "../release-summary";
import { GroupsField } from "./groups-field";
import { NotesField } from "./notes-field";
import { notifyHint } from "./notify-hint";
import { RuleViolations } from "./rule-violations";

const { environmentId, description } = promoteTestingDeployInput.in.shape;
const schema = z.object({
  environmentId,
  description: description.unwrap(),
  groups: z.array(z.string()),
  notify: z.boolean(),
});

export type PromoteDialogProps = DialogProps & {
  /** The files of the build, at least one. */
  files: readonly ReleaseSummary[];
  /** The right that the user lacks to promote it anywhere; then the dialog says so and nothing else. */
  lacks?: "create" | "download";
};

type Places = OperationOutput<"apps/get-publishing-places">["items"];

/** An environment in which the build can be published. */
type Destination = { id: string; label: string };

/** The environments that accept the build, without its own; those after its own come first. */
function destinationsOf(places: Places, own: string): Destination[] {
  return places.flatMap(({ app, environments }) => {
    const at = environments.findIndex(({ id }) => id === own);
    const ordered = [...environments.slice(at + 1), ...environments.slice(0, Math.max(at, 0))];
    return ordered.map(({ id, name }) => ({ id, label: places.length > 1 ? `${app.name} › ${name}` : name }));
  });
}

/** The environments in which a build can be published; null while they are loaded. */
function useDestinations({ identifier, environmentId }: ReleaseSummary, choose: (id: string) => void) {
  const notified = useNotifiedCall();
  const [destinations, setDestinations] = useState<Destination[] | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    const show = (places: Places) => {
      if (controller.signal.aborted) return;
      const list = destinationsOf(places, environmentId);
      setDestinations(list);
      if (list[0]) choose(list[0].id);
    };
    notified(() => query("apps/get-publishing-places", { identifier }, { signal: controller.signal })).then(
      (found) => show(found?.items ?? []),
      () => show([]),
    );
    return () => controller.abort();
  }, [identifier, environmentId, choose, notified]);

  return destinations;
}

/** Publishes a build in another environment, or says why the user may not. */
export function PromoteDialog({ lacks, ...dialog }: PromoteDialogProps) {
  return lacks ? <RefusedDialog {...dialog} lacks={lacks} /> : <DestinationDialog {...dialog} />;
}

function RefusedDialog({ files, lacks, open, onOpenChange }: PromoteDialogProps & { lacks: "create" | "download" }) {
  const t = useTranslations("releases.promote");
  const common = useTranslations("common");
  const scopes = useTranslations("scopes");
  const [lead] = files as [ReleaseSummary];
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent aria-describedby={undefined}>
        <DialogHeader>
          <DialogTitle>{t("title", { name: releaseName(lead) })}</DialogTitle>
        </DialogHeader>
        <DialogBody className="pb-4">
          <Alert tone="warning" title={t(lacks === "create" ? "mayNotCreate" : "mayNotDownload")}>
            {t("askForRight", { right: scopes(`release:${lacks}`) })}
          </Alert>
        </DialogBody>
        <DialogFooter>
          <DialogClose asChild>
            <Button variant="secondary">{common("close")}</Button>
          </DialogClose>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

function DestinationDialog({ files, open, onOpenChange }: Omit<PromoteDialogProps, "lacks">) {
  const t = useTranslations("releases.promote");
  const failures = useTranslations("failures");
  const tell = useTranslations("testers.tell");
  const scopes = useTranslations("scopes");
  const router = useRouter();
  // The dialog says itself why the build was not published.
  const promote = useOperation("apps/promote-testing-deploy", { quiet: true });
  const [lead] = files as [ReleaseSummary];
  const name = releaseName(lead);
  const [violated, setViolated] = useState<{ problem: ApiProblem; environmentId: string } | null>(null);
  const [override, setOverride] = useState(false);
  const form = useZodForm(schema, {
    defaultValues: { environmentId: "", description: lead.editable.description, groups: [], notify: true },
  });
  const chosen = form.watch("environmentId");
  const groups = form.watch("groups");
  const chooseGroups = useCallback((ids: string[]) => form.setValue("groups", ids, { shouldDirty: true }), [form]);
  const isEdited = form.watch("description") !== lead.editable.description;

  const choose = useCallback((id: string) => form.setValue("environmentId", id), [form]);
  const destinations = useDestinations(lead, choose);

  const submit = async (values: z.output<typeof schema>) => {
    // Unchanged values are omitted, so that each file keeps its own notes.
    const changed = values.description === lead.editable.description ? {} : { description: values.description };
    const result = await promote.run({
      environmentId: values.environmentId,
      ...changed,
      ...(values.groups.length > 0 && { groups: values.groups, notify: values.notify }),
      ids: files.map(({ id }) => id),
      ...(override && violated?.environmentId === values.environmentId && { override }),
    });
    if (!result.ok) {
      if (result.problem.code === "not_found") {
        // The list no longer has what the dialog is about.
        notify.error(failures("apps/promote-testing-deploy"), { description: t("gone") });
        onOpenChange(false);
        router.refresh();
        return NOT_SUBMITTED;
      }
      if (result.problem.code !== "rule_violated") return result;
      setViolated({ problem: result.problem, environmentId: values.environmentId });
      // The user accepted the broken rules of an earlier attempt.
      setOverride(false);
      return NOT_SUBMITTED;
    }
    const [first] = result.data.items;
    const place = first?.environment.name ?? "";
    const isNew = result.data.items.some(({ repeated }) => !repeated);
    notify.success(t(isNew ? "done" : "repeated", { name, place }), {
      action: first && { label: t("open"), onClick: () => router.push(releasePath(first.id)) },
    });
    return result;
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("title", { name })}
      description={t("description", { files: files.map(({ fileLabel }) => fileLabel).join(", ") })}
      form={form}
      onSubmit={submit}
      refreshes
      submitLabel={t("submit")}
      canSubmit={destinations !== null && destinations.length > 0}
    >
      {destinations === null && <Spinner />}
      {destinations?.length === 0 && (
        <Alert tone="warning" title={t("nowhere", { identifier: lead.identifier })}>
          {t("nowhereNext", { right: scopes("release:create") })}
        </Alert>
      )}
      {destinations !== null && destinations.length > 0 && (
        <>
          <DestinationField
            destinations={destinations}
            value={chosen}
            onChange={(id) => {
              form.clearErrors("environmentId");
              form.setValue("environmentId", id, { shouldDirty: true });
            }}
            error={form.formState.errors.environmentId?.message}
          />
          <NotesField control={form.control} name="description" />
          {files.some(({ editable }) => editable.description !== lead.editable.description) && (
            <Alert tone="info">
              {t(isEdited ? "notesForAll" : "notesDiffer", { file: lead.fileLabel, files: files.length })}
            </Alert>
          )}
          <GroupsField
            control={form.control}
            environmentId={chosen}
            chosen={groups}
            onChange={chooseGroups}
            error={form.formState.errors.groups?.message}
            onNoMail={() => form.setValue("notify", false)}
            notify={(mail) => (
              <SwitchField
                control={form.control}
                name="notify"
                label={tell("notify")}
                hint={tell(notifyHint(mail, form.watch("notify")))}
              />
            )}
          />
          {violated?.environmentId === chosen && (
            <RuleViolations
              {...violated}
              files={files.map(({ fileLabel }) => fileLabel)}
              override={override}
              onOverride={setOverride}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

type DestinationFieldProps = {
  destinations: readonly Destination[];
  value: string;
  onChange: (id: string) => void;
  error: string | undefined;
};

function DestinationField({ destinations, value, onChange, error }: DestinationFieldProps) {
  const t = useTranslations("releases.promote");
  const id = useId();
  return (
    <div className="flex flex-col gap-2">
      <RadioGroup aria-label={t("environment")} aria-describedby={`${id}-error`} value={value} onValueChange={onChange}>
        {destinations.map((destination) => (
          <div key={destination.id} className="flex min-h-8 items-center gap-2.5">
            <RadioGroupItem id={`${id}-${destination.id}`} value={destination.id} />
            <Label htmlFor={`${id}-${destination.id}`} className="font-normal">
              {destination.label}
            </Label>
          </div>
        ))}
      </RadioGroup>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
