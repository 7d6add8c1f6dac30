import { cn } from "@/components/ui/cn";
import type { Release } from "@/lib/features/releases/schema";

export type ReleaseNotesProps = Pick<Release, "descriptionHtml"> & { className?: string };

/** The release notes, rendered by the server. */
export function ReleaseNotes({ descriptionHtml, className }: ReleaseNotesProps) {
  return (
    <div
      data-slot="release-notes"
      className={cn(
        "text-pretty break-words leading-5.5 [&>*+*]:mt-3",
        "[&_:is(h3,h4,h5,h6)]:font-semibold [&_h3]:text-base",
        "[&_ol]:list-decimal [&_ul]:list-disc [&_:is(ol,ul)]:ps-5 [&_li+li]:mt-1 [&_li>:is(ol,ul)]:mt-1",
        "[&_a]:[overflow-wrap:anywhere] [&_a]:text-link [&_a]:underline [&_a]:underline-offset-4 hover:[&_a]:no-underline",
        "[&_blockquote]:border-border [&_blockquote]:border-s-2 [&_blockquote]:ps-3 [&_blockquote]:text-muted-foreground",
        "[&_code]:rounded-sm [&_code]:bg-muted [&_code]:px-1 [&_code]:font-mono [&_code]:text-[0.9em]",
        "[&_pre]:whitespace-pre-wrap [&_pre]:break-words [&_pre]:rounded-md [&_pre]:bg-muted [&_pre]:px-3 [&_pre]:py-2",
        "[&_pre>code]:bg-transparent [&_pre>code]:px-0",
        "[&_hr]:border-border",
        className,
      )}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server writes it of a fixed set of elements and attributes
      dangerouslySetInnerHTML={{ __html: descriptionHtml }}
    />
  );
}
