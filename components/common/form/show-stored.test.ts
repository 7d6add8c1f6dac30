import { createFormControl, type UseFormReturn } from "react-hook-form";
import { expect, it } from "vitest";
import { showStored } from "./show-stored";

type Values = { name: string; days: string; modes: { size: string }; hosts: string[]; secret: string };

const OPENED: Values = { name: "QA", days: "1", modes: { size: "off" }, hosts: ["a"], secret: "" };

/** A form on a page, in which the user has entered something. */
function aForm(input: Partial<Values> = {}) {
  const form = createFormControl<Values>({ defaultValues: structuredClone(OPENED) });
  form.control._state.mount = true;
  const enter = (values: Partial<Values>) => {
    for (const [name, value] of Object.entries(values))
      form.setValue(name as "name", value as string, { shouldDirty: true });
  };
  enter(input);
  return { form: form as unknown as UseFormReturn<Values, unknown, Values>, enter };
}

const dirty = (form: UseFormReturn<Values, unknown, Values>) =>
  Object.keys(OPENED).filter((name) => form.getFieldState(name as keyof Values).isDirty);

it("counts what was changed while the form was saved as not saved", () => {
  const { form, enter } = aForm({ name: " Test " });
  const sent = structuredClone(form.getValues());
  enter({ days: "30", modes: { size: "warn" } });
  showStored(form, { ...OPENED, name: "Test" }, sent);
  expect(form.getValues()).toEqual({ ...OPENED, name: "Test", days: "30", modes: { size: "warn" } });
  expect(dirty(form)).toEqual(["days", "modes"]);
});

it("shows nothing as unsaved if nothing was changed after sending", () => {
  const { form } = aForm({ name: "Test", hosts: ["a", "b"] });
  showStored(form, { ...OPENED, name: "Test", hosts: ["a", "b"] }, structuredClone(form.getValues()));
  expect(dirty(form)).toEqual([]);
});

it("empties the field of a secret that was saved, and keeps one that was entered after sending", () => {
  const { form, enter } = aForm({ secret: "first" });
  const sent = structuredClone(form.getValues());
  showStored(form, OPENED, sent);
  expect([form.getValues("secret"), dirty(form)]).toEqual(["", []]);
  enter({ secret: "second" });
  showStored(form, OPENED, sent);
  expect([form.getValues("secret"), dirty(form)]).toEqual(["second", ["secret"]]);
});

it("takes over what is stored in the fields that the user has not changed", () => {
  const { form } = aForm({ days: "30" });
  showStored(form, { ...OPENED, name: "Production", days: "7" });
  expect(form.getValues()).toEqual({ ...OPENED, name: "Production", days: "30" });
  expect(dirty(form)).toEqual(["days"]);
});
