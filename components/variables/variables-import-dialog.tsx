"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useId, useRef, useState } from "react";
import { useAnswerFor } from "@/components/common/answer-for";
import { ChangesPreview } from "@/components/common/configuration/changes-preview";
import { FileDrop } from "@/components/common/file-drop";
import { useGuardedClose } from "@/components/common/guarded-close";
import type { DialogProps } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { notify } from "@/lib/client/notify";
import type { OperationOutput } from "@/lib/client/operation-types";
import { useOperation } from "@/lib/client/use-operation";
import type { VariableKind } from "@/lib/features/configuration/schema";
import { MAX_IMPORT, type VariableFormat } from "@/lib/features/variables/schema";
import { detectFormat } from "./detect-format";
import { ImportErrors, linesOf } from "./import-errors";
import { isVariablesFileName, readText } from "./variables-file";

type Preview = OperationOutput<"apps/import-variables">;
type Mode = "merge" | "replace";

const FORMATS = ["dotenv", "json", "yaml"] as const satisfies readonly VariableFormat[];
const MODES = ["merge", "replace"] as const satisfies readonly Mode[];

export type VariablesImportDialogProps = DialogProps & { kind: VariableKind; environmentId: string };

/** Imports variables from a pasted or dropped file. First it shows what the import would change. */
export function VariablesImportDialog({ kind, environmentId, open, onOpenChange }: VariablesImportDialogProps) {
  const t = useTranslations("variables.import");
  const common = useTranslations("common");
  const router = useRouter();
  const formId = useId();
  const run = useOperation("apps/import-variables");
  const [text, setText] = useState("");
  const [file, setFile] = useState<{ name: string; size: number } | null>(null);
  const [rejection, setRejection] = useState<string>();
  const [chosenFormat, setChosenFormat] = useState<VariableFormat | null>(null);
  const [mode, setMode] = useState<Mode>("merge");
  const resultArea = useRef<HTMLDivElement>(null);
  const format = chosenFormat ?? detectFormat(text, file?.name);
  const input = { environmentId, kind, format, text, mode };
  const close = useGuardedClose({ open, onOpenChange, unsaved: text !== "", busy: run.pending });
  const [preview, keepPreview] = useAnswerFor<Preview>(input);
  const changeCount = preview ? preview.created + preview.updated + preview.removed : 0;
  const canImport = preview !== null && preview.errors.length === 0;

  useEffect(() => {
    if (preview) resultArea.current?.scrollIntoView({ block: "start" });
  }, [preview]);

  const change = (content: string) => {
    setText(content);
    setRejection(undefined);
  };

  const takeFile = async (chosen: File) => {
    const content = await readText(chosen);
    if (content === null) {
      setRejection(t("notText"));
      return;
    }
    setFile({ name: chosen.name, size: chosen.size });
    setChosenFormat(null);
    change(content);
  };

  const send = async () => {
    if (text.trim() === "") {
      setRejection(t("nothing"));
      return;
    }
    const result = await run.run({ ...input, dryRun: !canImport });
    if (!result.ok) {
      setRejection(result.problem.errors[0]?.message);
      return;
    }
    if (!canImport || result.data.errors.length > 0) {
      keepPreview(result.data);
      return;
    }
    const { created, updated, removed } = result.data;
    notify.success(t("done", { count: created + updated + removed }));
    onOpenChange(false);
    router.refresh();
  };

  return (
    <Dialog open={open} onOpenChange={close.onOpenChange}>
      <DialogContent size="lg" steady>
        <DialogHeader>
          <DialogTitle>{t(`title.${kind}`)}</DialogTitle>
          <DialogDescription>{t("description")}</DialogDescription>
        </DialogHeader>
        <DialogBody>
          <form
            id={formId}
            noValidate
            className="flex flex-col gap-4 pt-1 pb-4"
            onSubmit={(event) => {
              event.preventDefault();
              event.stopPropagation();
              void send();
            }}
          >
            <FileDrop
              aria-label={t("file")}
              acceptsName={isVariablesFileName}
              maxBytes={MAX_IMPORT}
              file={file}
              onFile={(chosen) => void takeFile(chosen)}
              onReject={(reason) => setRejection(t(reason === "size" ? "tooLarge" : "wrongFile"))}
              hint={t("fileHint")}
              className="min-h-20"
            />
            <Field label={t("text")} error={rejection}>
              {(field) => (
                <Textarea
                  {...field}
                  value={text}
                  onChange={({ target }) => {
                    setFile(null);
                    change(target.value);
                  }}
                  placeholder={"API_URL=https://api.example.com\nLOG_LEVEL=debug"}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  className="max-h-56 min-h-32 overflow-auto font-mono lg:text-[0.8125rem]"
                />
              )}
            </Field>
            <div className="grid gap-4 lg:grid-cols-2">
              <Choice
                label={t("format")}
                value={format}
                options={FORMATS.map((value) => ({ value, label: t(`formats.${value}`) }))}
                onChange={setChosenFormat}
              />
              <Choice
                label={t("mode")}
                value={mode}
                hint={t(`modeHints.${mode}`)}
                options={MODES.map((value) => ({ value, label: t(`modes.${value}`) }))}
                onChange={setMode}
              />
            </div>
            {preview && (
              <div ref={resultArea}>
                {preview.errors.length > 0 ? (
                  <ImportErrors errors={preview.errors} lines={linesOf(text)} />
                ) : (
                  <ChangesPreview kind={kind} preview={preview} />
                )}
              </div>
            )}
          </form>
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={close.requestClose}>
            {common("cancel")}
          </Button>
          <Button type="submit" form={formId} loading={run.pending} disabled={canImport && changeCount === 0}>
            {canImport ? t("submit", { count: changeCount }) : t("check")}
          </Button>
        </DialogFooter>
        {close.confirmation}
      </DialogContent>
    </Dialog>
  );
}

type ChoiceProps<Value extends string> = {
  label: string;
  hint?: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
};

function Choice<Value extends string>({ label, hint, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <Select value={value} onValueChange={(next) => onChange(next as Value)}>
          <SelectTrigger {...field}>
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {options.map((option) => (
              <SelectItem key={option.value} value={option.value}>
                {option.label}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}
