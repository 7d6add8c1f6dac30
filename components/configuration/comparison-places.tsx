"use client";

import { ArrowLeftRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { useNavigate } from "@/components/common/pending/navigation";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";

/** An environment that can be compared. */
export type ComparedPlace = {
  id: string;
  name: string;
  /** Its list of entries of the kind. */
  href: string;
  canWrite: boolean;
};

export type ComparisonPlacesProps = {
  places: readonly Pick<ComparedPlace, "id" | "name">[];
  from: string;
  to: string;
  /** The path of the comparison of each first environment, without the second one. */
  paths: Readonly<Record<string, string>>;
};

/** Two fields that choose the compared environments. */
export function ComparisonPlaces({ places, from, to, paths }: ComparisonPlacesProps) {
  const t = useTranslations("configuration.comparison");
  const navigate = useNavigate();
  // Choosing the environment of the other side swaps both.
  const show = (first: string, second: string) => navigate(`${paths[first]}&to=${second}`);
  const swap = () => show(to, from);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-end gap-x-2 lg:max-w-2xl">
      <PlaceField
        label={t("from")}
        places={places}
        value={from}
        onChange={(id) => (id === to ? swap() : show(id, to))}
      />
      <Button variant="ghost" size="icon" aria-label={t("swap")} onClick={swap} className="max-lg:mb-0.5">
        <ArrowLeftRight aria-hidden />
      </Button>
      <PlaceField
        label={t("to")}
        places={places}
        value={to}
        onChange={(id) => (id === from ? swap() : show(from, id))}
      />
    </div>
  );
}

type PlaceFieldProps = Pick<ComparisonPlacesProps, "places"> & {
  label: string;
  value: string;
  onChange: (id: string) => void;
};

function PlaceField({ label, places, value, onChange }: PlaceFieldProps) {
  return (
    <Field label={label} className="min-w-0">
      {(field) => (
        <Select value={value} onValueChange={onChange}>
          <SelectTrigger {...field}>
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {places.map(({ id, name }) => (
              <SelectItem key={id} value={id}>
                {name}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}
