import { Badge } from "@/components/ui/badge";

/** The name of an environment as a label; truncated if it does not fit, with the full name in its title. */
export function EnvironmentBadge({ name }: { name: string }) {
  return (
    <Badge title={name} className="max-w-full shrink">
      <span className="truncate">{name}</span>
    </Badge>
  );
}
