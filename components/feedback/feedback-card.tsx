import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";
import { RelativeTime } from "@/components/common/relative-time";
import { openedDevice } from "@/components/common/releases/opened-device";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { Feedback } from "@/lib/features/feedback/schema";
import { feedbackPath } from "@/lib/kernel/navigation/pages";
import { GiveFeedbackButton } from "./give-feedback-button";
import { Rating } from "./rating";

export type FeedbackCardProps = {
  release: { id: string; name: string; appId: string };
  /** The newest feedback on it. */
  feedback: OperationOutput<"feedback/get-feedback">;
};

/** The newest feedback on a release, and the button to give some. */
export function FeedbackCard({ release, feedback }: FeedbackCardProps) {
  const t = useTranslations("feedback");
  const { items, total } = feedback;
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
      </CardHeader>
      <CardContent className="gap-3 pt-2">
        {total === 0 && <p className="text-muted-foreground">{t("none")}</p>}
        {items.length > 0 && (
          <ul className="flex flex-col divide-y divide-border">
            {items.map((item) => (
              <Item key={item.id} item={item} />
            ))}
          </ul>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <GiveFeedbackButton release={release} />
          {total > 0 && (
            <HoverLink
              href={feedbackPath(release.appId, { releaseId: release.id })}
              className="inline-flex min-h-6 items-center text-link underline-offset-4 hover:underline"
            >
              {t("all", { count: total })}
            </HoverLink>
          )}
        </div>
      </CardContent>
    </Card>
  );
}

function Item({ item }: { item: Feedback }) {
  const t = useTranslations("feedback");
  const { text, rating, author, createdAt } = item;
  return (
    <li className="flex flex-col gap-1 py-2.5 first:pt-0 last:pb-0">
      <p dir="auto" className="line-clamp-3 whitespace-pre-line break-words leading-5">
        {text}
      </p>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-muted-foreground text-xs leading-4.5">
        {rating !== null && <Rating rating={rating} />}
        <span>{author?.name ?? t(author ? "unnamedLink" : "someone")}</span>
        <span>{openedDevice(item, t("devices.desktop"))}</span>
        <RelativeTime date={createdAt} />
      </p>
    </li>
  );
}
