"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTranslations } from "next-intl";
import { useTheme } from "next-themes";
import { Button } from "@/components/ui/button";
import { Menu } from "./menu";

/** Selects the light theme, the dark theme, or that of the system. */
export function ThemeToggle() {
  const t = useTranslations("common.theme");
  const { theme, setTheme } = useTheme();
  return (
    <Menu
      align="end"
      sections={[
        {
          value: theme ?? "system",
          onValueChange: setTheme,
          options: [
            { value: "light", label: t("light"), icon: <Sun aria-hidden /> },
            { value: "dark", label: t("dark"), icon: <Moon aria-hidden /> },
            { value: "system", label: t("system"), icon: <Monitor aria-hidden /> },
          ],
        },
      ]}
      trigger={
        <Button variant="ghost" size="icon" aria-label={t("label")} className="text-muted-foreground">
          <Sun aria-hidden className="dark:hidden" />
          <Moon aria-hidden className="hidden dark:block" />
        </Button>
      }
    />
  );
}
