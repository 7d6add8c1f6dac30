import { Badge, type BadgeProps } from "@/components/ui/badge";

const TONES: readonly [RegExp, BadgeProps["tone"]][] = [
  [/failed|refused/, "warning"],
  [/^(delete|revoke|abort|reset)/, "danger"],
  [/^(create|invite|setup|enroll|enable|complete)/, "success"],
  [/^(reveal|export)/, "info"],
];

/** The action of an audit record, as the API names it. */
export function ActionBadge({ action }: { action: string }) {
  const tone = TONES.find(([pattern]) => pattern.test(action))?.[1] ?? "neutral";
  return (
    <Badge tone={tone} className="font-mono">
      {action}
    </Badge>
  );
}
