import { createFormControl, type UseFormReturn } from "react-hook-form";
import { describe, expect, it } from "vitest";
import { showProblem } from "./submit";

type Values = { name: string; owner: { email: string }; identifiers: { value: string }[] };

function makeForm() {
  const control = createFormControl<Values>({
    defaultValues: { name: "", owner: { email: "" }, identifiers: [{ value: "" }] },
  });
  return control as unknown as UseFormReturn<Values, unknown, Values>;
}

const problem = (...errors: { path: string; message: string }[]) => ({ title: "", detail: "", errors });

describe("showProblem", () => {
  it("assigns each error to the field of its path", () => {
    const form = makeForm();
    const unassigned = showProblem(
      form,
      problem(
        { path: "name", message: "taken" },
        { path: "owner.email", message: "unknown" },
        { path: "identifiers.0.value", message: "malformed" },
      ),
    );
    expect(unassigned).toEqual([]);
    expect(form.getFieldState("name").error?.message).toBe("taken");
    expect(form.getFieldState("owner.email").error?.message).toBe("unknown");
    expect(form.getFieldState("identifiers.0.value").error?.message).toBe("malformed");
  });

  it("returns the messages that belong to no field", () => {
    const form = makeForm();
    const unassigned = showProblem(
      form,
      problem({ path: "logoFileId", message: "missing" }, { path: "identifiers.7.value", message: "malformed" }),
    );
    expect(unassigned).toEqual(["missing", "malformed"]);
  });

  it("does not treat an inherited property as a field", () => {
    const form = makeForm();
    expect(
      showProblem(form, problem({ path: "constructor", message: "no" }, { path: "__proto__.x", message: "no" })),
    ).toEqual(["no", "no"]);
  });
});
