import { route } from "@/lib/api/route";
import { getUpload } from "@/lib/features/uploads/operations/get-upload";

export const GET = route(getUpload);
