import { type ComponentProps, createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { type UseFormReturn, useForm } from "react-hook-form";
import { beforeEach, expect, it, vi } from "vitest";
import type { SearchListProps } from "../search-list";
import type { SearchSelectPopover } from "../search-select-popover";
import { SearchField } from "./search-field";

/** The list as it was rendered last. */
let list: SearchListProps | null = null;

vi.mock("next-intl", () => ({ useTranslations: () => (key: string) => key }));
vi.mock("../search-list", () => ({
  SearchList: (props: SearchListProps) => {
    list = props;
    return null;
  },
}));
// The list is rendered at once and in its place.
vi.mock("../on-demand", async () => {
  const { SearchSelectPopover: Popover } = await import("../search-select-popover");
  return {
    lazyOverlay: () => null,
    OnDemand: ({ overlayProps, trigger }: { overlayProps: object; trigger: ReactNode }) =>
      createElement(Popover, { ...overlayProps, trigger } as ComponentProps<typeof SearchSelectPopover>),
  };
});
vi.mock("@/components/ui/popover", () => {
  const show = ({ children }: { children: ReactNode }) => children;
  return { Popover: show, PopoverTrigger: show, PopoverContent: show };
});

beforeEach(() => {
  list = null;
});

interface Values {
  userId: string | null;
}

interface FieldProps {
  userId: string | null;
  none: string | undefined;
  onForm: (form: UseFormReturn<Values>) => void;
}

const ADA = { value: "u", label: "Ada" };

/** A form with a field whose option is Ada. */
function Field({ userId, none, onForm }: FieldProps) {
  const form = useForm<Values>({ defaultValues: { userId } });
  onForm(form);
  const props = { control: form.control, option: ADA, search: async () => [ADA], none, onChoose: () => {} };
  return createElement(SearchField<Values, "userId", Values>, {
    ...{ ...props, name: "userId", label: "Owner", placeholder: "No owner" },
  });
}

/** Renders the field. @returns its form and what it shows */
function aField(userId: string | null, none?: string) {
  const forms: UseFormReturn<Values>[] = [];
  const html = renderToStaticMarkup(createElement(Field, { userId, none, onForm: (form) => forms.push(form) }));
  return { form: forms[0] as UseFormReturn<Values>, text: html.replace(/<[^>]+>/g, "") };
}

it("a field that may be empty has an entry that empties it", () => {
  const { form, text } = aField("u", "No owner");
  expect(text).toContain("Ada");
  expect(list?.none?.label).toBe("No owner");
  list?.none?.onChoose();
  expect(form.getValues("userId")).toBeNull();
  const emptied = aField(null, "No owner");
  expect(emptied.text).toContain("No owner");
  expect(emptied.text).not.toContain("Ada");
});

it("another field has no such entry", () => {
  aField("u");
  expect(list).not.toBeNull();
  expect(list?.none).toBeUndefined();
});
