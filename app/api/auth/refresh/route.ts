import { route } from "@/lib/api/route";
import { refresh } from "@/lib/features/auth/operations/refresh";

export const POST = route(refresh);
