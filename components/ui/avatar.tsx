import { cn } from "./cn";

export type AvatarProps = {
  /** URL of the image; without one, or while it loads, the initials are shown. */
  src?: string | null;
  /** Name whose initials replace the image. */
  name: string;
  /** Round for people, square for applications and platforms. */
  shape?: "circle" | "square";
  className?: string;
};

/** The image of a person or thing; decorative, because the name is always next to it. */
export function Avatar({ src, name, shape = "circle", className }: AvatarProps) {
  return (
    <span
      data-slot="avatar"
      aria-hidden
      className={cn(
        "relative inline-flex size-8 shrink-0 items-center justify-center overflow-hidden border border-border bg-muted text-xs select-none",
        shape === "circle" ? "rounded-full" : "rounded-[22%]",
        className,
      )}
    >
      <span className="font-medium text-[0.8em] text-muted-foreground uppercase">{initials(name)}</span>
      {/* An image with an empty alternative text that fails to load is invisible, so the initials remain visible. */}
      {/* biome-ignore lint/performance/noImgElement: the address is the file store's, already small */}
      {src && <img src={src} alt="" loading="lazy" className="absolute inset-0 size-full bg-card object-cover" />}
    </span>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const first = [...(words[0] ?? "")][0] ?? "";
  const last = words.length > 1 ? ([...(words.at(-1) ?? "")][0] ?? "") : "";
  return first + last;
}
