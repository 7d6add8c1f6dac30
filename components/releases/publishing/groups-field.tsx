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
  /** Whether they are told, once a group is chosen. @param mail whether a mail server is set up */
  notify: (mail: boolean) => ReactNode;
  /** Is called once it is known that no mail server is set up. */
  onNoMail: () => void;
};

type Groups = { items: readonly DistributionGroup[]; mail: boolean };
const NO_GROUPS: Groups = { items: [], mail: true };

/**
 * The groups for releases of an environment, null until they are known; none for a user who may not tell testers. The chosen groups of
 * an environment that was chosen before are dropped.
 */
function useGroups({
  control,
  environmentId,
  chosen,
  onChange,
  onNoMail,
}: Omit<GroupsFieldProps, "error" | "notify">): Groups | null {
  const [groups, setGroups] = useState<Groups | null>(null);
  const show = useEffectEvent(({ items, mail }: Groups) => {
    setGroups({ items, mail });
    if (!mail) onNoMail();
    const kept = chosen.filter((id) => items.some((group) => group.id === id));
    if (kept.length < chosen.length) onChange(kept);
  });
  const load = useEffectEvent((signal: AbortSignal) => {
    const loading = query("testers/get-distribution-groups", { environmentId }, { signal }).then(
      (loaded) => signal.aborted || show(loaded),
      // The release can be published without it, and its page tells groups too.
      () => signal.aborted || show(NO_GROUPS),
    );
    if (chosen.length > 0) void untilReady(control, loading);
  });
  useEffect(() => {
    if (environmentId === "" || environmentId === NEW) {
      show(NO_GROUPS);
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
  if (!groups || groups.items.length === 0) return <FieldError>{error}</FieldError>;
  return (
    <div className="flex flex-col gap-3">
      <GroupChoice groups={groups.items} chosen={field.chosen} onChange={field.onChange} />
      <FieldError>{error}</FieldError>
      {field.chosen.length > 0 && notify(groups.mail)}
    </div>
  );
}
