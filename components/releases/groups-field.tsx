"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { type UseFormReturn, useController, useWatch } from "react-hook-form";
import type { z } from "zod";
import { SwitchField } from "@/components/common/form/switch-field";
import { query } from "@/lib/client/client";
import { type DistributionGroup, GroupChoice } from "./group-choice";
import { NEW, type ReleaseValues, type releaseValuesSchema } from "./release-values";

export type GroupsFieldProps = { form: UseFormReturn<ReleaseValues, unknown, z.output<typeof releaseValuesSchema>> };

/** The groups for releases of an environment, null until they are known; none for a user who may not tell testers. */
function useGroups(environmentId: string): readonly DistributionGroup[] | null {
  const [groups, setGroups] = useState<readonly DistributionGroup[] | null>(null);
  useEffect(() => {
    setGroups(null);
    if (environmentId === "" || environmentId === NEW) return;
    const controller = new AbortController();
    query("testers/get-distribution-groups", { environmentId }, { signal: controller.signal }).then(
      ({ items }) => setGroups(items),
      // The release can be published without it, and its page tells groups too.
      () => controller.signal.aborted || setGroups([]),
    );
    return () => controller.abort();
  }, [environmentId]);
  return groups;
}

/** Chooses the groups of testers that are told of a new release; nothing if its environment has none. */
export function GroupsField({ form }: GroupsFieldProps) {
  const t = useTranslations("testers.tell");
  const { control } = form;
  const environmentId = useWatch({ control, name: "environmentId" });
  const { field } = useController({ control, name: "groups" });
  const groups = useGroups(environmentId);
  const { value, onChange } = field;
  useEffect(() => {
    // Those of an environment that was chosen before are dropped.
    const kept = value.filter((id) => groups?.some((group) => group.id === id));
    if (groups && kept.length < value.length) onChange(kept);
  }, [groups, value, onChange]);
  if (!groups || groups.length === 0) return null;
  return (
    <div className="flex flex-col gap-3">
      <GroupChoice groups={groups} chosen={value} onChange={onChange} />
      {value.length > 0 && <SwitchField control={control} name="notify" label={t("notify")} hint={t("notifyHint")} />}
    </div>
  );
}
