import { route } from "@/lib/api/route";
import { getAppleConfig } from "@/lib/features/auth-providers/operations/get-apple-config";

export const GET = route(getAppleConfig);
