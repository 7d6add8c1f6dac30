import { route } from "@/lib/api/route";
import { createRecoveryCodes } from "@/lib/features/two-factor/operations/create-recovery-codes";

export const POST = route(createRecoveryCodes);
