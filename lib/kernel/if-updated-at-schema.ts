import { z } from "zod";

/** When the row was changed last, as the caller read it. If it was changed since, the call ends with `conflict`. */
export const ifUpdatedAtSchema = z.iso.datetime().optional();

/** When something was stored that may not be stored yet; null if it is not. */
export const storedAtSchema = z.iso.datetime().nullable();

/** Like `ifUpdatedAtSchema`, for something that may not be stored yet; null if it was not. */
export const ifStoredAtSchema = storedAtSchema.optional();
