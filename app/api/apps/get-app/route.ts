import { route } from "@/lib/api/route";
import { getApp } from "@/lib/features/apps/operations/get-app";

export const GET = route(getApp);
