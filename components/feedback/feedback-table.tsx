import { Image, MessageSquareText } from "lucide-react";
import { useTranslations } from "next-intl";
import { createdAtColumn } from "@/components/common/data-table/created-at-column";
import { DataTable } from "@/components/common/data-table/data-table";
import { EmptyState } from "@/components/common/empty-state";
import { HoverLink } from "@/components/common/hover-link";
import { openedDevice } from "@/components/common/releases/opened-device";
import { Badge } from "@/components/ui/badge";
import type { OperationOutput } from "@/lib/client/operation-types";
import { deviceSchema, FEEDBACK_STATES, type Feedback, MAX_RATING } from "@/lib/features/feedback/schema";
import { PAGES, releasePath } from "@/lib/kernel/navigation/pages";
import { FeedbackMenu } from "./feedback-actions";
import { Rating } from "./rating";

export type FeedbackTableProps = OperationOutput<"feedback/get-feedback">;

/** The table of what testers said about releases. */
export function FeedbackTable({ items, ...page }: FeedbackTableProps) {
  const t = useTranslations("feedback");
  return (
    <DataTable
      label={t("title")}
      rows={items}
      {...page}
      search={t("search")}
      defaultSort="-createdAt"
      filters={[
        {
          key: "state",
          label: t("state"),
          options: FEEDBACK_STATES.map((value) => ({ value, label: t(`states.${value}`) })),
        },
        {
          key: "rating",
          label: t("filterRating"),
          options: Array.from({ length: MAX_RATING }, (_, index) => String(MAX_RATING - index)).map((value) => ({
            value,
            label: t("ratingOf", { rating: Number(value) }),
          })),
        },
        {
          key: "device",
          label: t("device"),
          options: deviceSchema.options.map((value) => ({ value, label: t(`devices.${value}`) })),
        },
      ]}
      columns={[
        { key: "text", header: t("title"), className: "lg:max-w-md", cell: (item) => <Text item={item} /> },
        { key: "release", header: t("release"), cell: (item) => <ReleaseLink item={item} /> },
        {
          key: "device",
          header: t("device"),
          hide: "narrow",
          cell: (item) => (
            <span className="flex flex-col">
              <span>{openedDevice(item, t("devices.desktop"))}</span>
              {item.model && <span className="text-muted-foreground text-xs">{item.model}</span>}
            </span>
          ),
        },
        { key: "author", header: t("author"), className: "lg:max-w-48", cell: (item) => <Author item={item} /> },
        createdAtColumn(t("created")),
        {
          key: "state",
          header: t("state"),
          cell: ({ state }) => <Badge tone={state === "open" ? "info" : "success"}>{t(`states.${state}`)}</Badge>,
        },
      ]}
      rowActions={(item) => <FeedbackMenu feedback={item} />}
      empty={
        <EmptyState
          icon={<MessageSquareText />}
          title={t("empty")}
          description={t("emptyDescription")}
          docs={`${PAGES.docs}/feedback`}
        />
      }
    />
  );
}

function Text({ item: { text, rating, screenshotUrl } }: { item: Feedback }) {
  const t = useTranslations("feedback");
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <span dir="auto" className="line-clamp-3 whitespace-pre-line break-words font-normal">
        {text}
      </span>
      {(rating !== null || screenshotUrl) && (
        <span className="flex items-center gap-2">
          {rating !== null && <Rating rating={rating} />}
          {screenshotUrl && <Image role="img" aria-label={t("picture")} className="size-3.5 text-muted-foreground" />}
        </span>
      )}
    </span>
  );
}

function ReleaseLink({ item }: { item: Feedback }) {
  const t = useTranslations("feedback");
  const { releaseId, version, buildNumber, environment } = item;
  const name = `${version} (${buildNumber})`;
  return (
    <span className="flex min-w-0 flex-col">
      {releaseId ? (
        <HoverLink href={releasePath(releaseId)} className="font-mono text-link underline-offset-4 hover:underline">
          {name}
        </HoverLink>
      ) : (
        <span className="font-mono">{name}</span>
      )}
      <span className="text-muted-foreground text-xs">{releaseId ? environment.name : t("deletedRelease")}</span>
    </span>
  );
}

function Author({ item: { author } }: { item: Feedback }) {
  const t = useTranslations("feedback");
  if (author === null) return <span className="text-muted-foreground">{t("someone")}</span>;
  if (author.kind !== "link") return <span className="break-words">{author.name}</span>;
  return (
    <span className="break-words">{author.name === null ? t("unnamedLink") : t("byLink", { name: author.name })}</span>
  );
}
