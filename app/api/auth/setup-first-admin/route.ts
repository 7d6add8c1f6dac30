import { route } from "@/lib/api/route";
import { setupFirstAdmin } from "@/lib/features/auth/operations/setup-first-admin";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(setupFirstAdmin);
