import { UserRound } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "@/components/common/page-header";
import { LinkTabs } from "@/components/navigation/link-tabs";
import { EditProfileButton } from "@/components/profile/edit-profile-button";
import { ProfileCard } from "@/components/profile/profile-card";
import { call } from "@/lib/api/call";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("profile");
  return { title: t("title") };
}

export default async function ProfilePage() {
  const [t, { user }] = await Promise.all([getTranslations("profile"), call(getUserProfile, {})]);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} action={<EditProfileButton user={user} />} />
      <LinkTabs
        label={t("title")}
        current="profile"
        tabs={[{ key: "profile", label: t("tabs.profile"), href: "/profile", icon: <UserRound aria-hidden /> }]}
      />
      <ProfileCard user={user} />
    </>
  );
}
