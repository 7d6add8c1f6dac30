import type { ChangeEvent, ComponentProps } from "react";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";

const DIGITS = 6;

export type OtpInputProps = Omit<ComponentProps<typeof Input>, "value" | "onChange" | "type"> & {
  value: string;
  onChange: (code: string) => void;
  /** Submits the form when the last digit is entered. */
  sendWhenComplete?: boolean;
};

/**
 * An input for the six digits of an authenticator app: typed, pasted in any grouping, or filled in by the browser. It
 * is a single field, so that screen readers, password managers and phone keyboards support it.
 */
export function OtpInput({ value, onChange, sendWhenComplete = false, className, ...props }: OtpInputProps) {
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const { form } = event.currentTarget;
    const digits = event.currentTarget.value.replaceAll(/\D/g, "").slice(0, DIGITS);
    onChange(digits);
    if (sendWhenComplete && digits.length === DIGITS && digits !== value) form?.requestSubmit();
  };
  return (
    <Input
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      placeholder="••••••"
      {...props}
      value={value}
      onChange={change}
      className={cn(
        "h-12 text-center font-mono text-xl tracking-[0.5em] [text-indent:0.5em] lg:h-12 lg:text-xl",
        "placeholder:text-muted-foreground/60",
        className,
      )}
    />
  );
}
