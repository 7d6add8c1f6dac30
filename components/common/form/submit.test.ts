import { createFormControl, type UseFormReturn } from "react-hook-form";
import { describe, expect, it } from "vitest";
import { hasRequiredError, isShownAtField, REQUIRED, showProblem, unshownProblem } from "./submit";

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

describe("unshownProblem", () => {
  const failure = { code: "unavailable", title: "Unavailable", detail: "Try again", errors: [] };

  it("is a failure that no field shows", () => {
    expect(unshownProblem(failure)).toBe(failure);
    expect(unshownProblem({ ...failure, errors: [{ path: "name", message: "taken" }] })).toBeNull();
  });

  it("is not what the user cancelled, nor the end of the session", () => {
    expect(unshownProblem({ ...failure, title: "" })).toBeNull();
    for (const code of ["session_expired", "not_authenticated", "two_factor_required"]) {
      expect(unshownProblem({ ...failure, code })).toBeNull();
    }
  });
});

it("a failure that a field or the form already explains is found there", () => {
  const errors = { list: [{ name: { type: "server", message: "Wrong code" } }], root: { message: "No rights" } };
  expect(isShownAtField(errors as never, "Wrong code")).toBe(true);
  expect(isShownAtField(errors as never, "No rights")).toBe(true);
  expect(isShownAtField(errors as never, "Something else")).toBe(false);
});

describe("hasRequiredError", () => {
  it("finds an empty required field, also in lists and groups", () => {
    const required = { type: REQUIRED, message: "Required" };
    const errors = (value: object) => hasRequiredError<Values>(value);
    expect(errors({})).toBe(false);
    expect(errors({ name: { type: "invalid_format", message: "" } })).toBe(false);
    expect(errors({ name: required })).toBe(true);
    expect(errors({ owner: { email: required } })).toBe(true);
    expect(errors({ identifiers: [undefined, { value: required }] })).toBe(true);
    expect(errors({ name: { type: "invalid", message: "", ref: { type: REQUIRED } } })).toBe(false);
  });
});
