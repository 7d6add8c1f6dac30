import { route } from "@/lib/api/route";
import { createApp } from "@/lib/features/apps/operations/create-app";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(createApp);
