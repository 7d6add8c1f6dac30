import { route } from "@/lib/api/route";
import { getTrust } from "@/lib/features/trust/operations/get-trust";

export const GET = route(getTrust);
