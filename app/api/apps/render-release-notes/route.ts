import { route } from "@/lib/api/route";
import { renderReleaseNotes } from "@/lib/features/releases/operations/render-release-notes";

export const POST = route(renderReleaseNotes);
