"use client";

import { type ReactNode, useEffect, useState } from "react";
import { query } from "@/lib/client/client";
import { type DistributionGroup, GroupChoice } from "./group-choice";
import { NEW } from "./release-values";

export type GroupsFieldProps = {
  /** Of the release. */
  environmentId: string;
  /** The IDs of the chosen groups. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** Whether they are told, once a group is chosen. */
  notify: ReactNode;
};

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
export function GroupsField({ environmentId, chosen, onChange, notify }: GroupsFieldProps) {
  const groups = useGroups(environmentId);
  useEffect(() => {
    // Those of an environment that was chosen before are dropped.
    const kept = chosen.filter((id) => groups?.some((group) => group.id === id));
    if (groups && kept.length < chosen.length) onChange(kept);
  }, [groups, chosen, onChange]);
  if (!groups || groups.length === 0) return null;
  return (
    <div className="flex flex-col gap-3">
      <GroupChoice groups={groups} chosen={chosen} onChange={onChange} />
      {chosen.length > 0 && notify}
    </div>
  );
}
