import { route } from "@/lib/api/route";
import { uploadPart } from "@/lib/features/uploads/operations/upload-part";

export const PUT = route(uploadPart);
