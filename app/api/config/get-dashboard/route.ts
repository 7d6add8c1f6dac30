import { route } from "@/lib/api/route";
import { getDashboard } from "@/lib/features/dashboard/operations/get-dashboard";

export const GET = route(getDashboard);
