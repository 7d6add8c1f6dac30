import type { ReactNode } from "react";
import { requireAdmin } from "@/lib/api/call";
import { SignedInLayout } from "../_components/signed-in-layout";

/**
 * The pages of administrators. A layout is not rendered again for each page that is opened in it, so access is checked
 * by each page's own calls or by `requireAdmin`.
 */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  return <SignedInLayout actor={await requireAdmin()}>{children}</SignedInLayout>;
}
