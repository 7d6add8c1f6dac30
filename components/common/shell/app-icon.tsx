import { Avatar } from "@/components/ui/avatar";
import type { ShellApp } from "./types";

/** The picture of an application in the shell. */
export function AppIcon({ app }: { app: Pick<ShellApp, "name" | "iconUrl"> }) {
  return <Avatar shape="square" name={app.name} src={app.iconUrl} className="size-5.5 text-[0.625rem]" />;
}
