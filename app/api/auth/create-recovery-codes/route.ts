import { route } from "@/lib/api/route";
import { createRecoveryCodes } from "@/lib/features/two-factor/operations/create-recovery-codes";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(createRecoveryCodes);
