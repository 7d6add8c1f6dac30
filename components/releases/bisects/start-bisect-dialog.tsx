"use client";

import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useId, useMemo, useState } from "react";
import { z } from "zod";
import { SearchField } from "@/components/common/form/search-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { releaseName } from "@/components/common/releases/release-name";
import type { SearchOption, SearchOptions } from "@/components/common/search-list";
import type { DialogProps } from "@/components/common/use-dialog";
import { Label } from "@/components/ui/label";
import { RadioGroup, RadioGroupItem } from "@/components/ui/radio-group";
import { query } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import { startBisectInput } from "@/lib/features/bisects/schema";
import { bisectPath } from "@/lib/kernel/navigation/pages";
import type { ReleaseSummary } from "../release-summary";

const schema = z.object({ otherId: startBisectInput.shape.goodId });

/** Whether the release is the bad or the good end of the search. */
const SIDES = ["bad", "good"] as const;
type Side = (typeof SIDES)[number];

/** How many releases a search of the list finds. */
const FOUND_RELEASES = 50;

/** Finds the other end of a search: releases of the same app, platform and kind, before a bad or after a good release. */
function otherEnds(release: ReleaseSummary, side: Side, instantOf: (date: string) => string): SearchOptions {
  const { id, environmentId } = release;
  return async (search, signal) => {
    const own = await query("apps/get-testing-deploy-by-id", { id }, { signal });
    const { items } = await query(
      "apps/get-testing-deploys",
      {
        environmentId,
        platformId: own.platform.id,
        limit: FOUND_RELEASES,
        ...(side === "bad" ? { to: own.deployDate } : { from: own.deployDate }),
        ...(search && { search }),
      },
      { signal },
    );
    return items
      .filter(
        (item) => item.id !== id && item.identifier === own.identifier && item.installer.kind === own.installer.kind,
      )
      .map((item) => ({
        value: item.id,
        label: releaseName(item),
        description: [instantOf(item.deployDate), item.descriptionSummary].filter(Boolean).join(" · "),
      }));
  };
}

export type StartBisectDialogProps = DialogProps & { release: ReleaseSummary };

/** Begins the search for the build that brought a fault: whether a release has it, and a release at the other end. */
export function StartBisectDialog({ release, open, onOpenChange }: StartBisectDialogProps) {
  const t = useTranslations("bisects");
  const format = useFormatter();
  const router = useRouter();
  const fieldId = useId();
  const start = useOperation("apps/start-bisect");
  const [side, setSide] = useState<Side>("bad");
  const [other, setOther] = useState<SearchOption | null>(null);
  const form = useZodForm(schema, { defaultValues: { otherId: "" } });
  const search = useMemo(
    () =>
      otherEnds(release, side, (date) => format.dateTime(new Date(date), { dateStyle: "medium", timeStyle: "short" })),
    [release, side, format],
  );
  const name = releaseName(release);
  const chooseSide = (value: string) => {
    setSide(value as Side);
    setOther(null);
    form.setValue("otherId", "");
  };
  const submit = async ({ otherId }: z.output<typeof schema>) => {
    const ends = side === "bad" ? { goodId: otherId, badId: release.id } : { goodId: release.id, badId: otherId };
    const result = await start.run({ ...ends, environmentId: release.environmentId });
    if (result.ok) router.push(bisectPath(result.data.id));
    return result;
  };
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("title")}
      description={t("description")}
      form={form}
      onSubmit={submit}
      submitLabel={t("start")}
    >
      <RadioGroup aria-label={name} value={side} onValueChange={chooseSide}>
        {SIDES.map((value) => (
          <div key={value} className="flex min-h-8 items-center gap-2.5">
            <RadioGroupItem id={`${fieldId}-${value}`} value={value} />
            <Label htmlFor={`${fieldId}-${value}`} className="font-normal">
              {t(`sides.${value}`, { name })}
            </Label>
          </div>
        ))}
      </RadioGroup>
      <SearchField
        control={form.control}
        name="otherId"
        label={t(`otherEnd.${side}`)}
        option={other}
        search={search}
        onChoose={setOther}
      />
    </FormDialog>
  );
}
