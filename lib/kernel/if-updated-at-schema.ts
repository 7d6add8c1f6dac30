import { z } from "zod";

/** When the row was changed last, as the caller read it. If it was changed since, the call ends with `conflict`. */
export const ifUpdatedAtSchema = z.iso.datetime().optional();
