import {
  Download,
  Eye,
  KeyRound,
  type LucideIcon,
  Pencil,
  Plus,
  Rocket,
  ShieldAlert,
  ShieldCheck,
  Trash2,
  Upload,
  UserRound,
} from "lucide-react";
import { Badge, type BadgeProps } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";

interface Look {
  tone: NonNullable<BadgeProps["tone"]>;
  Icon: LucideIcon;
}

const LOOKS: readonly [RegExp, Look][] = [
  [/failed|refused/, { tone: "warning", Icon: ShieldAlert }],
  [/^(delete|remove|revoke|abort|reset)/, { tone: "danger", Icon: Trash2 }],
  [/^promote/, { tone: "success", Icon: Rocket }],
  [/^(upload|complete|reuse)/, { tone: "success", Icon: Upload }],
  [/^(create|add|invite|setup|enroll|enable|import|copy)/, { tone: "success", Icon: Plus }],
  [/^reveal/, { tone: "info", Icon: Eye }],
  [/^export/, { tone: "info", Icon: Download }],
  [/^(sign|second|confirm|challenge|authorize|refresh)/, { tone: "neutral", Icon: UserRound }],
  [/^(verify|test)/, { tone: "neutral", Icon: ShieldCheck }],
  [/password|rotate/, { tone: "neutral", Icon: KeyRound }],
];
const OTHER: Look = { tone: "neutral", Icon: Pencil };

const lookOf = (action: string) => LOOKS.find(([pattern]) => pattern.test(action))?.[1] ?? OTHER;

/** The action of an audit record, in words, with its code in the title. */
export function ActionBadge({ action, label }: { action: string; label: string }) {
  return (
    <Badge tone={lookOf(action).tone} title={action} className="h-auto min-h-5.5 max-w-full shrink whitespace-normal">
      {label}
    </Badge>
  );
}

const COLORS: Readonly<Record<Look["tone"], string>> = {
  accent: "text-link",
  danger: "text-danger",
  info: "text-info",
  neutral: "text-muted-foreground",
  outline: "text-muted-foreground",
  success: "text-success",
  warning: "text-warning",
};

/** The icon of an audit record's action. */
export function ActionIcon({ action }: { action: string }) {
  const { tone, Icon } = lookOf(action);
  return <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", COLORS[tone])} />;
}
