import type { ReactNode } from "react";
import { Button, type ButtonProps } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";

export type RowButtonProps = Omit<ButtonProps, "variant" | "size" | "asChild" | "aria-label" | "children"> & {
  /** The accessible name with the object of the action: "Edit Android". */
  label: string;
  icon: ReactNode;
  /** Turns red on hover, for actions that end or delete something. */
  destructive?: boolean;
};

/** A small icon button at the end of a row. */
export function RowButton({ label, icon, destructive = false, className, ...props }: RowButtonProps) {
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={label}
      className={cn("text-muted-foreground", destructive && "hover:text-danger", className)}
      {...props}
    >
      {icon}
    </Button>
  );
}
