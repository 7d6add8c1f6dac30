import type { ComponentProps } from "react";
import { Input } from "@/components/ui/input";
import { MAX_KEY } from "@/lib/features/configuration/schema";

/** The attributes of a field for code: no corrections of any kind. */
export const CODE_FIELD = {
  autoComplete: "off",
  autoCapitalize: "none",
  autoCorrect: "off",
  spellCheck: false,
  className: "font-mono lg:text-[0.8125rem]",
} as const;

/** The field of a variable's or certificate's key. */
export function KeyInput(props: ComponentProps<typeof Input>) {
  return <Input {...props} {...CODE_FIELD} maxLength={MAX_KEY} />;
}
