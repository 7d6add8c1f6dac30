import { route } from "@/lib/api/route";
import { updateApp } from "@/lib/features/apps/operations/update-app";

export const POST = route(updateApp);
