"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useNavigate } from "@/components/common/pending/navigation";
import { Alert } from "@/components/ui/alert";
import { useOperation } from "@/lib/client/use-operation";
import type { Enrollment, TwoFactor } from "@/lib/features/two-factor/schema";
import { TwoFactorCard } from "./two-factor-card";

const EnrollmentWizard = dynamic(() => import("./enrollment-wizard").then((file) => file.EnrollmentWizard), {
  ssr: false,
});

export type TwoFactorPanelProps = {
  twoFactor: TwoFactor;
  /** The path that requires a second factor, already checked to be a path of this console. */
  next: string | null;
};

/** The user's two-factor authentication: its state, the enrollment and its actions. */
export function TwoFactorPanel({ twoFactor, next }: TwoFactorPanelProps) {
  const t = useTranslations("twoFactor");
  const router = useRouter();
  const navigate = useNavigate();
  const enroll = useOperation("auth/enroll-two-factor");
  // Kept as state and not derived from `twoFactor`: the page may be refreshed while the recovery codes are shown.
  const [enrollment, setEnrollment] = useState<Enrollment | null>(null);

  const begin = async () => {
    const result = await enroll.run({});
    if (result.ok) setEnrollment(result.data);
    else if (result.problem.code === "two_factor_enabled") router.refresh();
  };

  const finish = () => {
    if (next) {
      navigate(next);
      return;
    }
    setEnrollment(null);
    router.refresh();
  };

  if (enrollment) {
    return (
      <EnrollmentWizard
        enrollment={enrollment}
        onCancel={() => setEnrollment(null)}
        onDone={finish}
        doneLabel={t(next ? "wizard.success.goOn" : "wizard.success.done")}
      />
    );
  }
  return (
    <>
      {next && !twoFactor.enabled && (
        <Alert tone="info" title={t("wanted.title")} className="max-w-2xl">
          {t("wanted.description")}
        </Alert>
      )}
      <TwoFactorCard twoFactor={twoFactor} onBegin={begin} beginning={enroll.pending} />
    </>
  );
}
