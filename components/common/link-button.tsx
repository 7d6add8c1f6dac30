import type { ComponentProps } from "react";
import { Link } from "@/components/common/link";
import { Button, type ButtonProps } from "@/components/ui/button";

export type LinkButtonProps = ComponentProps<typeof Link> & Pick<ButtonProps, "variant" | "size">;

/** A link that looks like a button, for actions that open another page. */
export function LinkButton({ variant, size, className, ...props }: LinkButtonProps) {
  return (
    <Button asChild variant={variant} size={size} className={className}>
      <Link {...props} />
    </Button>
  );
}
