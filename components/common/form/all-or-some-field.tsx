"use client";

import { useId } from "react";
import { cn } from "@/components/ui/cn";
import { Label } from "@/components/ui/label";
import { RadioGroup, RadioGroupItem } from "@/components/ui/radio-group";

const CHOICES = ["all", "some"] as const;

export type AllOrSome = (typeof CHOICES)[number];

export type AllOrSomeProps = {
  label: string;
  value: AllOrSome;
  onChange: (value: AllOrSome) => void;
  texts: Record<AllOrSome, string>;
  /** Whether the choices stand one below the other, above a list of what is selected. */
  stacked?: boolean;
};

/** Chooses between all of something and some of it, which another field selects. */
export function AllOrSomeField({ label, value, onChange, texts, stacked = false }: AllOrSomeProps) {
  const id = useId();
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(chosen) => onChange(chosen === "some" ? "some" : "all")}
      className={stacked ? "flex flex-col gap-0" : "flex flex-wrap gap-x-5 gap-y-2"}
    >
      {CHOICES.map((choice) => (
        <div key={choice} className={cn("flex items-center", stacked ? "min-h-10 gap-2.5 lg:min-h-8" : "gap-2")}>
          <RadioGroupItem id={`${id}-${choice}`} value={choice} />
          <Label htmlFor={`${id}-${choice}`} className="font-normal">
            {texts[choice]}
          </Label>
        </div>
      ))}
    </RadioGroup>
  );
}
