"use client";

import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { untilReady } from "@/components/common/form/pending-input";
import { FieldError } from "@/components/ui/field";
import { query } from "@/lib/client/client";
import { type DistributionGroup, GroupChoice } from "./group-choice";
import { NEW } from "./release-values";

export type GroupsFieldProps = {
  /** The `control` of the form. If groups are chosen, the form waits until the groups of the environment are loaded. */
  control: object;
  /** Of the release. */
  environmentId: string;
  /** The IDs of the chosen groups. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** Why they were refused, such as a group that has been deleted since the page was loaded. */
  error: string | undefined;
  /** Whether they are told, once a group is chosen. */
  notify: ReactNode;
};

/**
 * The groups for releases of an environment, null until they are known; none for a user who may not tell testers. The chosen groups of
 * an environment that was chosen before are dropped.
 */
function useGroups({
  control,
  environmentId,
  chosen,
  onChange,
}: Omit<GroupsFieldProps, "error" | "notify">): readonly DistributionGroup[] | null {
  const [groups, setGroups] = useState<readonly DistributionGroup[] | null>(null);
  const show = useEffectEvent((items: readonly DistributionGroup[]) => {
    setGroups(items);
    const kept = chosen.filter((id) => items.some((group) => group.id === id));
    if (kept.length < chosen.length) onChange(kept);
  });
  const load = useEffectEvent((signal: AbortSignal) => {
    const loading = query("testers/get-distribution-groups", { environmentId }, { signal }).then(
      ({ items }) => signal.aborted || show(items),
      // The release can be published without it, and its page tells groups too.
      () => signal.aborted || show([]),
    );
    if (chosen.length > 0) void untilReady(control, loading);
  });
  useEffect(() => {
    if (environmentId === "" || environmentId === NEW) {
      show([]);
      return;
    }
    setGroups(null);
    const controller = new AbortController();
    load(controller.signal);
    return () => controller.abort();
  }, [environmentId]);
  return groups;
}

/** Chooses the groups of testers that are told of a new release; nothing if its environment has none. */
export function GroupsField({ error, notify, ...field }: GroupsFieldProps) {
  const groups = useGroups(field);
  if (!groups || groups.length === 0) return <FieldError>{error}</FieldError>;
  return (
    <div className="flex flex-col gap-3">
      <GroupChoice groups={groups} chosen={field.chosen} onChange={field.onChange} />
      <FieldError>{error}</FieldError>
      {field.chosen.length > 0 && notify}
    </div>
  );
}
