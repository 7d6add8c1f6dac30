import { z } from "zod";

/** Whether an application, environment, platform, user, variable or certificate is in use. */
export const statusSchema = z.enum(["active", "inactive"]);
