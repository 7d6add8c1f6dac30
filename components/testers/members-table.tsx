import { UserPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DataTable } from "@/components/common/data-table/data-table";
import { EmptyState } from "@/components/common/empty-state";
import { RelativeTime } from "@/components/common/relative-time";
import { Badge, type BadgeProps } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import type { OperationOutput } from "@/lib/client/operation-types";
import { MEMBER_STATES } from "@/lib/features/testers/schema";
import { AddMembersButton } from "./member-buttons";
import { RemoveMemberButton } from "./remove-member-button";
import { UnreachedMemberMenu } from "./unreached-member-menu";

type State = (typeof MEMBER_STATES)[number];

const TONES: Record<State, BadgeProps["tone"]> = {
  pending: "warning",
  confirmed: "success",
  bounced: "danger",
  off: "neutral",
};

export type MembersTableProps = OperationOutput<"testers/get-tester-group-members"> & {
  group: { id: string; name: string };
  /** Whether the user may choose among the users of the console. */
  isAdmin: boolean;
};

/** The members of a group of testers. */
export function MembersTable({ items, group, isAdmin, ...page }: MembersTableProps) {
  const t = useTranslations("testers");
  return (
    <DataTable
      label={t("memberCount")}
      rows={items}
      {...page}
      search={t("searchMembers")}
      defaultSort="createdAt"
      filters={[
        {
          key: "state",
          label: t("state"),
          options: MEMBER_STATES.map((value) => ({ value, label: t(`states.${value}`) })),
        },
      ]}
      columns={[
        {
          key: "member",
          header: t("member"),
          className: "lg:w-full lg:max-w-0",
          cell: ({ name, email }) => (
            <span className="flex min-w-0 flex-col">
              <Whole>{name ?? email}</Whole>
              {name !== null && <Whole className="text-muted-foreground text-xs">{email}</Whole>}
            </span>
          ),
        },
        {
          key: "state",
          header: t("state"),
          phone: "fact",
          cell: ({ state }) => <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>,
        },
        {
          key: "addedAt",
          header: t("addedAt"),
          sort: "createdAt",
          className: "whitespace-nowrap text-muted-foreground",
          cell: ({ addedAt }) => <RelativeTime date={addedAt} />,
        },
      ]}
      rowActions={({ id, name, email, state }) => {
        const member = { id, name: name ?? email };
        return state === "pending" || state === "bounced" ? (
          <UnreachedMemberMenu groupId={group.id} member={member} bounced={state === "bounced"} />
        ) : (
          <RemoveMemberButton groupId={group.id} member={member} />
        );
      }}
      empty={
        <EmptyState
          icon={<UserPlus />}
          title={t("noMembers")}
          description={t("noMembersHint")}
          action={<AddMembersButton group={group} isAdmin={isAdmin} />}
        />
      }
    />
  );
}

/** A text on one line of the table, with the full text in its title; on phones, on as many lines as it needs. */
function Whole({ className, children }: { className?: string; children: string }) {
  return (
    <span
      title={children}
      className={cn("max-lg:whitespace-normal max-lg:[overflow-wrap:anywhere] lg:truncate", className)}
    >
      {children}
    </span>
  );
}
