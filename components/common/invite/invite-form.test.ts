import { describe, expect, it } from "vitest";
import { inviteUsersInput } from "@/lib/features/users/schema";
import { ALL_ENVIRONMENTS, type InviteForm, inviteFormSchema, toInvitation } from "./invite-form";

const id = (digit: number) => `019a0000-0000-7000-8000-00000000000${digit}`;
const form: InviteForm = {
  emails: ["ada@example.com"],
  firstNames: "",
  lastNames: "",
  team: "",
  provider: "email",
  access: "preset",
  preset: "tester",
  appId: id(1),
  environmentId: ALL_ENVIRONMENTS,
  roleId: id(3),
};

describe("the form of an invitation", () => {
  it("sends the part that is chosen, and the other never", () => {
    expect(toInvitation(form)).toEqual({
      emails: ["ada@example.com"],
      provider: "email",
      preset: "tester",
      apps: [{ appId: id(1), environmentIds: [] }],
    });
    expect(toInvitation({ ...form, environmentId: id(2) })).toMatchObject({
      apps: [{ appId: id(1), environmentIds: [id(2)] }],
    });
    expect(toInvitation({ ...form, access: "role" })).toEqual({
      emails: ["ada@example.com"],
      provider: "email",
      roleId: id(3),
    });
    for (const access of ["preset", "role"] as const) {
      expect(inviteUsersInput.safeParse(toInvitation({ ...form, access })).success).toBe(true);
    }
  });

  it("sends the names of one person only, and the team of all", () => {
    const named = { ...form, firstNames: " Ada ", lastNames: "", team: "QA" };
    expect(toInvitation(inviteFormSchema.parse(named))).toMatchObject({ firstNames: "Ada", team: "QA" });
    expect(toInvitation(named)).not.toHaveProperty("lastNames");
    const two = toInvitation({ ...named, emails: ["ada@example.com", "grace@example.com"] });
    expect(two).toMatchObject({ team: "QA" });
    expect(two).not.toHaveProperty("firstNames");
    expect(inviteUsersInput.safeParse(two).success).toBe(true);
  });

  it.each([
    ["appId", { appId: "", roleId: "" }],
    ["roleId", { access: "role" as const, appId: "", roleId: "" }],
    ["emails", { emails: [] }],
    ["emails.0", { emails: ["ada"] }],
    ["provider", { provider: undefined as never }],
  ])("asks for %s only where it is part of the choice", (path, changes) => {
    const { error } = inviteFormSchema.safeParse({ ...form, ...changes });
    expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });
});
