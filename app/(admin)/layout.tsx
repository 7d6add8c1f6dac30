import type { ReactNode } from "react";
import { requireAdmin } from "@/lib/api/call";
import { SignedInLayout } from "../_components/signed-in-layout";

/**
 * The pages of administrators. A layout is not rendered anew for each page that is opened in it, so each page's own
 * calls, or `requireAdmin`, are what keeps others out of it.
 */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  return <SignedInLayout actor={await requireAdmin()}>{children}</SignedInLayout>;
}
