import { route } from "@/lib/api/route";
import { createApp } from "@/lib/features/apps/operations/create-app";

export const POST = route(createApp);
