import { route } from "@/lib/api/route";
import { updatePlatform } from "@/lib/features/platforms/operations/update-platform";

export const POST = route(updatePlatform);
