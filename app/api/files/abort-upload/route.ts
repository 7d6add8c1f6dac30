import { route } from "@/lib/api/route";
import { abortUpload } from "@/lib/features/uploads/operations/abort-upload";

export const POST = route(abortUpload);
