import { AppInfoCard } from "@/components/app-config/app-info-card";
import { EditAppInfoButton } from "@/components/app-config/edit-app-info-button";
import { call } from "@/lib/api/call";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { AppConfigFrame } from "./app-config-frame";

export async function AppInfoTab() {
  const config = await call(getAppConfig, {});
  return (
    <AppConfigFrame current="info" action={<EditAppInfoButton config={config} />}>
      <AppInfoCard config={config} />
    </AppConfigFrame>
  );
}
