import { route } from "@/lib/api/route";
import { updateLicense } from "@/lib/features/license/operations/update-license";

export const POST = route(updateLicense);
