import { route } from "@/lib/api/route";
import { getMailState } from "@/lib/features/config/operations/get-mail-state";

export const GET = route(getMailState);
