import { TriangleAlert } from "lucide-react";
import { useFormatter, useNow, useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import type { Release } from "@/lib/features/releases/schema";
import { nearProfileEnd } from "./profile-end";

/** With this many days left, the badge changes from a warning to an error. */
const URGENT_DAYS = 7;

/** Says that a release's provisioning profile expires soon or has expired; otherwise renders nothing. */
export function ProfileBadge({ release }: { release: Pick<Release, "installer"> }) {
  const t = useTranslations("environments.profile");
  const format = useFormatter();
  const end = nearProfileEnd(release, useNow());
  if (!end) return null;
  return (
    <Badge
      tone={end.daysLeft <= URGENT_DAYS ? "danger" : "warning"}
      // In some languages it is wider than the card of a release on a phone, and than the description in a narrow table.
      className="h-auto min-h-5.5 max-w-full whitespace-normal max-md:shrink"
      title={format.dateTime(end.date, { dateStyle: "full", timeStyle: "short" })}
    >
      <TriangleAlert aria-hidden />
      {end.hasEnded ? t("ended") : t("endsIn", { days: end.daysLeft })}
    </Badge>
  );
}
