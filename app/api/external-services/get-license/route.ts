import { route } from "@/lib/api/route";
import { getLicense } from "@/lib/features/license/operations/get-license";

export const GET = route(getLicense);
