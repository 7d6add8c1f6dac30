import { route } from "@/lib/api/route";
import { updateAppleConfig } from "@/lib/features/auth-providers/operations/update-apple-config";

export const POST = route(updateAppleConfig);
