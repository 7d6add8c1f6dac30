import "server-only";
import type { KeptCheck } from "@/lib/install-check/data";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { findsNoFailure } from "@/lib/kernel/install-check-codes";
import type { InstallCheck } from "../schema";

/** A check in the words of a language. */
export function checkInWords({ ranAt, findings }: KeptCheck, locale: Locale): InstallCheck {
  const t = translatorFor(locale);
  return {
    ok: findsNoFailure(findings),
    checks: findings.map(({ code, result, seen, problem }) => ({
      code,
      result,
      title: t(`installCheckWords.checks.${code}`),
      seen,
      advice: problem && t(`installCheckWords.advice.${problem}`),
    })),
    ranAt: ranAt.toISOString(),
  };
}
