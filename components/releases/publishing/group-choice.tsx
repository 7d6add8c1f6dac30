"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Label } from "@/components/ui/label";
import type { OperationOutput } from "@/lib/client/operation-types";

/** A group that releases of an environment can be distributed to. */
export type DistributionGroup = OperationOutput<"testers/get-distribution-groups">["items"][number];

export type GroupChoiceProps = {
  groups: readonly DistributionGroup[];
  /** The IDs of the chosen ones. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
};

/** Chooses groups of testers. */
export function GroupChoice({ groups, chosen, onChange }: GroupChoiceProps) {
  const t = useTranslations("testers.tell");
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">{t("groups")}</legend>
      {groups.map((group) => (
        <div key={group.id} className="flex min-h-10 items-center gap-2.5 lg:min-h-8">
          <Checkbox
            id={`${id}-${group.id}`}
            checked={chosen.includes(group.id)}
            onCheckedChange={(checked) =>
              onChange(checked === true ? [...chosen, group.id] : chosen.filter((other) => other !== group.id))
            }
          />
          <Label htmlFor={`${id}-${group.id}`} className="flex min-w-0 flex-1 justify-between gap-3">
            <span className="break-words">{group.name}</span>
            <span className="shrink-0 font-normal text-muted-foreground">{t("members", { count: group.members })}</span>
          </Label>
        </div>
      ))}
    </fieldset>
  );
}
