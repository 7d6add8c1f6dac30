import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { listRegistrations } from "../internal/apple-registrations";
import { appleRegistrationsOutput, getAppleRegistrationsInput } from "../schema";

/** The environments that can register devices with Apple, each with what became of the last registration. */
export const getAppleRegistrations = defineQuery({
  area: "devices",
  name: "get-apple-registrations",
  summary: "List the environments that can register devices with Apple, with the last registration of each",
  access: "admin",
  input: getAppleRegistrationsInput,
  output: appleRegistrationsOutput,
  errors: [],
  handler: ({ input, db }) => listRegistrations(db, input),
});
