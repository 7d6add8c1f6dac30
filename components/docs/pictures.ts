import type { StaticImageData } from "next/image";
import connect from "@/docs/pictures/connect-desktop-light.png";
import dashboard from "@/docs/pictures/dashboard-desktop-light.png";
import health from "@/docs/pictures/health-desktop-light.png";
import role from "@/docs/pictures/role-desktop-light.png";
import apple from "@/docs/pictures/sso-apple-desktop-light.png";
import azure from "@/docs/pictures/sso-azure-desktop-light.png";
import enable from "@/docs/pictures/sso-enable-desktop-light.png";
import github from "@/docs/pictures/sso-github-desktop-light.png";
import gitlab from "@/docs/pictures/sso-gitlab-desktop-light.png";
import google from "@/docs/pictures/sso-google-desktop-light.png";
import token from "@/docs/pictures/token-desktop-light.png";
import variables from "@/docs/pictures/variables-desktop-light.png";

/** The pictures of the served pages, by their name in `docs/pictures`. */
export const DOCS_PICTURES: Readonly<Record<string, StaticImageData>> = {
  "connect-desktop-light.png": connect,
  "dashboard-desktop-light.png": dashboard,
  "health-desktop-light.png": health,
  "role-desktop-light.png": role,
  "sso-apple-desktop-light.png": apple,
  "sso-azure-desktop-light.png": azure,
  "sso-enable-desktop-light.png": enable,
  "sso-github-desktop-light.png": github,
  "sso-gitlab-desktop-light.png": gitlab,
  "sso-google-desktop-light.png": google,
  "token-desktop-light.png": token,
  "variables-desktop-light.png": variables,
};
