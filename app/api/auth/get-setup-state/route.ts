import { route } from "@/lib/api/route";
import { getSetupState } from "@/lib/features/auth/operations/get-setup-state";

export const GET = route(getSetupState);
