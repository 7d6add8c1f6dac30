import { route } from "@/lib/api/route";
import { getPlatformById } from "@/lib/features/platforms/operations/get-platform-by-id";

export const GET = route(getPlatformById);
