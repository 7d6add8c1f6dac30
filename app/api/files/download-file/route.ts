import { route } from "@/lib/api/route";
import { downloadFile } from "@/lib/features/files/operations/download-file";

export const GET = route(downloadFile);
