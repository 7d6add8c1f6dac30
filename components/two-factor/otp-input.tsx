import type { ChangeEvent, ComponentProps } from "react";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";

const DIGITS = 6;

export type OtpInputProps = Omit<ComponentProps<typeof Input>, "value" | "onChange" | "type"> & {
  value: string;
  onChange: (code: string) => void;
  /** Sends the form around it as soon as the last digit is there. */
  sendWhenComplete?: boolean;
};

/**
 * Takes the six digits of an authenticator app: typed, pasted in any grouping, or filled in by the browser. One field,
 * and not six, so that screen readers, password managers and the phone's keyboard know what to do with it.
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
