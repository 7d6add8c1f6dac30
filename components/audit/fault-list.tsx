import { useTranslations } from "next-intl";
import type { AuditChain } from "@/lib/features/audit/schema";

/** Faults that are listed. The command lists more. */
const SHOWN = 5;

/** The first faults of the audit log. */
export function FaultList({ faults, more }: { faults: AuditChain["faults"]; more: boolean }) {
  const t = useTranslations("auditLog.chain.faults");
  return (
    <ul className="list-disc pl-4">
      {faults.slice(0, SHOWN).map((fault) => {
        const [from, to] = "id" in fault ? [fault.id, fault.id] : [fault.from, fault.to];
        const records = t("records", { one: from === to ? "one" : "many", from: Number(from), to: Number(to) });
        return <li key={`${fault.fault} ${from}`}>{t(fault.fault, { records })}</li>;
      })}
      {(more || faults.length > SHOWN) && <li>{t("more")}</li>}
    </ul>
  );
}
