import { route } from "@/lib/api/route";
import { refresh } from "@/lib/features/auth/operations/refresh";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(refresh);
