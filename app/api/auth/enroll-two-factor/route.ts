import { route } from "@/lib/api/route";
import { enrollTwoFactor } from "@/lib/features/two-factor/operations/enroll-two-factor";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(enrollTwoFactor);
