import { z } from "zod";

/** An identifier as it comes from outside, in browser and server. */
export const idSchema = z.uuid();
