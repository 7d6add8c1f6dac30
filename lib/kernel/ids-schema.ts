import { z } from "zod";

/** The schema of an ID in an input, for browser and server. */
export const idSchema = z.uuid();
