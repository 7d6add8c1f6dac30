import { route } from "@/lib/api/route";
import { completeUpload } from "@/lib/features/uploads/operations/complete-upload";

export const POST = route(completeUpload);
