import { createFormControl, type UseFormReturn } from "react-hook-form";
import { describe, expect, it, vi } from "vitest";
import type { CallResult } from "@/lib/client/use-operation";
import {
  type ConflictField,
  differentFields,
  isEdited,
  keepMine,
  type StoredValues,
  saveUnlessChanged,
  storedBefore,
  takeTheirs,
} from "./edit-conflict";
import { NOT_SUBMITTED } from "./submit";

type Values = { name: string; team: string | null; modes: { size: string }; password: string };

const FIELDS: readonly ConflictField<Values>[] = [
  { name: "name", label: "Name" },
  { name: "team", label: "Team" },
  { name: "modes.size", label: "Size" },
  { name: "password", label: "Password", isSecret: true },
];

const OPENED: Values = { name: "Ada", team: "", modes: { size: "off" }, password: "" };
const [FIRST, SECOND] = ["2026-11-20T08:00:00.000Z", "2026-11-20T08:00:01.000Z"];

/** A form on a page, which shows what was stored at `FIRST`. */
function aForm(input: Partial<Values> = {}) {
  const form = createFormControl<Values>({ defaultValues: structuredClone(OPENED) });
  form.control._state.mount = true;
  for (const [name, value] of Object.entries(input))
    form.setValue(name as "name", value as string, { shouldDirty: true });
  return form as unknown as UseFormReturn<Values, unknown, Values>;
}

const stored = (values: Partial<Values>): StoredValues<Values> => ({
  updatedAt: SECOND,
  values: { name: OPENED.name, team: null, modes: OPENED.modes, password: "", ...values },
});

const problem = (more: object = {}) => {
  const texts = { title: "", detail: "", requestId: null, retryAfter: null };
  return { ok: false as const, problem: { code: "conflict", status: 409, errors: [], ...texts, ...more } };
};

type Result = CallResult<{ updatedAt: string | null }>;

/** Saves a form in a console that has `now`. */
async function save(
  form: ReturnType<typeof aForm>,
  now: StoredValues<Values>,
  { updatedAt = FIRST, refusal = problem() }: { updatedAt?: string | null; refusal?: Result } = {},
) {
  const done: Result = { ok: true, data: { updatedAt: "2026-11-20T08:00:02.000Z" } };
  const send = vi.fn(async (at: string | null | undefined) => (at === now.updatedAt ? done : refusal));
  const load = vi.fn(async () => now);
  const saved = await saveUnlessChanged({ form, fields: FIELDS, updatedAt, send, load });
  return { ...saved, sent: send.mock.calls.map(([at]) => at), loads: load.mock.calls.length };
}

describe("saving a form", () => {
  it("shows what someone else stored in one of its fields, and saves nothing", async () => {
    const theirs = stored({ modes: { size: "warn" } });
    expect(await save(aForm({ name: "Grace" }), theirs)).toMatchObject({
      result: NOT_SUBMITTED,
      theirs,
      updatedAt: FIRST,
      sent: [FIRST],
    });
  });

  it("saves after a change of something else in the same row", async () => {
    const saved = await save(aForm({ name: "Grace" }), stored({}));
    expect(saved).toMatchObject({ result: { ok: true }, theirs: null, sent: [FIRST, SECOND] });
    expect(saved.updatedAt).toBe("2026-11-20T08:00:02.000Z");
  });

  it("saves if someone else has entered the same", async () => {
    const form = aForm({ name: "Grace" });
    const saved = await save(form, stored({ name: "Grace" }));
    // What an undo restores.
    expect(storedBefore(form)).toMatchObject({ name: "Grace" });
    expect(form.getValues()).toEqual({ ...OPENED, name: "Grace" });
    expect(saved).toMatchObject({ result: { ok: true }, theirs: null, sent: [FIRST, SECOND] });
  });

  it("shows a change of what may be the secret that the user enters, too", async () => {
    expect(await save(aForm({ password: "new" }), stored({}))).toMatchObject({ theirs: stored({}), sent: [FIRST] });
  });

  it("expects that nothing is stored if there was nothing", async () => {
    expect(await save(aForm(), stored({ name: "Grace" }), { updatedAt: null })).toMatchObject({
      theirs: stored({ name: "Grace" }),
      sent: [null],
    });
  });

  it("returns a conflict that is not about the row as it is", async () => {
    const form = aForm({ name: "Grace" });
    const refusal = problem();
    // Of another row, such as a limit, of a field, and of a form that adds something.
    expect(await save(form, { ...stored({}), updatedAt: FIRST }, { refusal })).toMatchObject({ result: { ok: true } });
    const send = async () => refusal;
    const load = vi.fn(async () => ({ ...stored({}), updatedAt: FIRST }));
    const options = { form, fields: FIELDS, send, load };
    expect(await saveUnlessChanged({ ...options, updatedAt: FIRST })).toMatchObject({ result: refusal, theirs: null });
    expect(await saveUnlessChanged({ ...options, updatedAt: undefined })).toMatchObject({ result: refusal });
    expect(load).toHaveBeenCalledTimes(1);
    const taken = problem({ errors: [{ path: "name", code: "taken", message: "Taken" }] });
    expect(await save(form, stored({}), { refusal: taken })).toMatchObject({ result: taken, loads: 0 });
  });

  it("returns the conflict if what is stored cannot be read", async () => {
    const refusal = problem();
    const options = { form: aForm(), fields: FIELDS, updatedAt: FIRST, send: async () => refusal };
    expect(await saveUnlessChanged({ ...options, load: async () => null })).toMatchObject({ result: refusal });
  });
});

describe("the two choices", () => {
  const theirs = stored({ name: "Hedy", team: "QA", modes: { size: "warn" } });

  it("are shown for the fields that differ, secrets only if there is an input", () => {
    const names = (input: Values) => differentFields(FIELDS, theirs, input).map(({ label }) => label);
    expect(names({ ...OPENED, name: "Grace", team: "QA" })).toEqual(["Name", "Size"]);
    expect(names({ ...OPENED, name: "Hedy", password: "new" })).toEqual(["Team", "Size", "Password"]);
  });

  it("keep the user’s input and take over the other fields, of which no input is shown", async () => {
    const form = aForm({ name: "Grace" });
    const edited = FIELDS.filter(({ name }) => isEdited(form, name)).map(({ label }) => label);
    expect(edited).toEqual(["Name"]);
    keepMine(form, FIELDS, theirs);
    expect(form.getValues()).toEqual({ name: "Grace", team: "QA", modes: { size: "warn" }, password: "" });
    expect(form.getFieldState("name").isDirty).toBe(true);
    expect(form.getFieldState("team").isDirty).toBe(false);
    expect(storedBefore(form)).toMatchObject({ name: "Hedy", team: "QA" });
    // What the user keeps is not asked about again.
    const later = { ...theirs, updatedAt: "2026-11-20T08:00:05.000Z" };
    expect(await save(form, later, { updatedAt: SECOND })).toMatchObject({ result: { ok: true }, theirs: null });
  });

  it("take over all that someone else stored", () => {
    const form = aForm({ name: "Grace", password: "new" });
    takeTheirs(form, theirs);
    expect(form.getValues()).toEqual({ name: "Hedy", team: "QA", modes: { size: "warn" }, password: "" });
    expect(form.getFieldState("name").isDirty).toBe(false);
  });
});
