import { route } from "@/lib/api/route";
import { downloadAuthority } from "@/lib/features/trust/operations/download-authority";

export const GET = route(downloadAuthority);
