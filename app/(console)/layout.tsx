import type { ReactNode } from "react";
import { requireUser } from "@/lib/api/call";
import { SignedInLayout } from "../_components/signed-in-layout";

/** The pages of all signed-in users. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  return <SignedInLayout actor={await requireUser()}>{children}</SignedInLayout>;
}
