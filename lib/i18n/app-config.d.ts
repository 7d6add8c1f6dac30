import type { Locale } from "./locales";
import type { Messages } from "./translator";

declare module "next-intl" {
  interface AppConfig {
    Locale: Locale;
    Messages: Messages;
  }
}
