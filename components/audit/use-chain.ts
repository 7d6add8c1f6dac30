"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useState } from "react";
import { query } from "@/lib/client/client";
import { poll } from "@/lib/client/poll";
import { useOperation } from "@/lib/client/use-operation";
import type { AuditChain } from "@/lib/features/audit/schema";

/** How often the state is fetched while a verification is in progress. */
const POLL_MS = 1_000;

/**
 * The state of the log's hash chain, kept up to date while a verification is in progress.
 * @param initial as the page was rendered
 * @returns `verify` has all records verified
 */
export function useChain(initial: AuditChain): { chain: AuditChain; verify: () => void; pending: boolean } {
  const router = useRouter();
  const [fetched, setFetched] = useState<{ of: AuditChain; chain: AuditChain } | null>(null);
  // A page that was rendered again is newer than what was fetched for the one before.
  const chain = fetched?.of === initial ? fetched.chain : initial;
  const { run, pending } = useOperation("config/verify-audit-chain");

  const ask = useEffectEvent(async (signal: AbortSignal) => {
    const next = await query("config/get-audit-chain", {}, { signal });
    if (signal.aborted) return;
    setFetched({ of: initial, chain: next });
    // The request for the verification is a record of its own, which the list does not show yet.
    if (next.running === null) router.refresh();
  });

  const isRunning = chain.running !== null;
  useEffect(() => {
    if (!isRunning) return;
    return poll((signal) => ask(signal), POLL_MS);
  }, [isRunning]);

  const verify = async () => {
    const result = await run({});
    if (result.ok) setFetched({ of: initial, chain: result.data });
  };
  return { chain, verify, pending };
}
