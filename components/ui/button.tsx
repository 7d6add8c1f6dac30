import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn";
import { Spinner } from "./spinner";

export const buttonVariants = cva(
  [
    "relative inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-lg border border-transparent font-medium text-sm",
    "transition-colors select-none disabled:pointer-events-none disabled:opacity-50 aria-disabled:cursor-default",
    // The touch target measures at least 44 px, more than the visible button.
    "max-lg:before:absolute",
    "[&_svg]:pointer-events-none [&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4",
  ],
  {
    variants: {
      variant: {
        primary: "bg-primary text-primary-foreground hover:bg-primary-hover",
        secondary:
          "border-border bg-secondary text-secondary-foreground hover:bg-accent hover:text-accent-foreground data-[state=open]:bg-accent",
        ghost:
          "text-foreground hover:bg-accent hover:text-accent-foreground data-[state=open]:bg-accent data-[state=open]:text-accent-foreground",
        destructive: "bg-destructive text-destructive-foreground hover:bg-destructive-hover",
        link: "text-link underline-offset-4 hover:underline",
      },
      size: {
        default: "h-10 px-3.5 max-lg:before:-inset-0.75 lg:h-8 lg:px-3",
        sm: "h-9 px-2.5 text-[0.8125rem] max-lg:before:-inset-1.25 lg:h-7",
        lg: "h-11 px-5 lg:h-10 lg:px-4",
        touch: "h-11 px-5",
        icon: "size-10 max-lg:before:-inset-0.75 lg:size-8",
        "icon-sm": "size-9 max-lg:before:-inset-1.25 lg:size-7",
      },
    },
    defaultVariants: { variant: "primary", size: "default" },
  },
);

export type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof buttonVariants> & {
    /** Renders the only child with the button's style, for links. */
    asChild?: boolean;
    /** Shows progress in place of the label and ignores presses; the focus and the width do not change. */
    loading?: boolean;
  };

/** A push button, of type `button` by default. */
export function Button({
  className,
  variant,
  size,
  asChild = false,
  loading = false,
  type = "button",
  onClick,
  children,
  ...props
}: ButtonProps) {
  const classes = cn(buttonVariants({ variant, size }), className);
  if (asChild) {
    return (
      <Slot.Root
        data-slot="button"
        data-variant={variant ?? "primary"}
        className={classes}
        onClick={onClick}
        {...props}
      >
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      data-slot="button"
      data-variant={variant ?? "primary"}
      // A button of type `button` does not submit, so the form is not submitted twice.
      type={loading ? "button" : type}
      className={classes}
      onClick={loading ? undefined : onClick}
      aria-busy={loading || undefined}
      aria-disabled={loading || undefined}
      {...props}
    >
      {loading ? (
        <>
          <span className="inline-flex items-center gap-[inherit] animate-vanish motion-reduce:opacity-0">
            {children}
          </span>
          <span className="absolute animate-appear">
            <Spinner />
          </span>
        </>
      ) : (
        children
      )}
    </button>
  );
}
