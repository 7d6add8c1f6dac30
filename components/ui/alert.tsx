import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn";

const toneStyles = {
  info: { icon: Info, box: "border-info-border bg-info-surface", accent: "text-info" },
  success: { icon: CircleCheck, box: "border-success-border bg-success-surface", accent: "text-success" },
  warning: { icon: TriangleAlert, box: "border-warning-border bg-warning-surface", accent: "text-warning" },
  danger: { icon: CircleAlert, box: "border-danger-border bg-danger-surface", accent: "text-danger" },
};

export type AlertProps = Omit<ComponentProps<"div">, "title"> & {
  tone?: keyof typeof toneStyles;
  title?: ReactNode;
  /** Buttons or links that help. */
  action?: ReactNode;
};

/** A notice on the page. It is announced immediately if its tone is `danger`, politely otherwise. */
export function Alert({ tone = "info", title, action, className, children, ...props }: AlertProps) {
  const { icon: Icon, box, accent } = toneStyles[tone];
  return (
    <div
      data-slot="alert"
      role={tone === "danger" ? "alert" : "status"}
      className={cn(
        "flex items-start gap-2.5 rounded-lg border px-3 py-2.5 text-foreground text-sm leading-5",
        box,
        className,
      )}
      {...props}
    >
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", accent)} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        {title && <p className="font-medium">{title}</p>}
        {children && (
          <div className="text-pretty [&_a]:font-medium [&_a]:underline [&_a]:underline-offset-4">{children}</div>
        )}
        {action && <div className="mt-1 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  );
}
