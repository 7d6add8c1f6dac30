import { Badge } from "@/components/ui/badge";

/** The name of an environment as a label; cut off where it does not fit, the whole of it in its title. */
export function EnvironmentBadge({ name }: { name: string }) {
  return (
    <Badge title={name} className="max-w-full shrink">
      <span className="truncate">{name}</span>
    </Badge>
  );
}
