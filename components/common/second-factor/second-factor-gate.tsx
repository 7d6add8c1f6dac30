"use client";

import { useEffect, useRef, useState } from "react";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { ApiCallError, isSessionProblem, query } from "@/lib/client/client";
import type { OperationOutput } from "@/lib/client/operation-types";
import { onSecondFactorNeeded } from "@/lib/client/second-factor";
import { OpenedDialog } from "../opened-dialog";
import { useDialog } from "../use-dialog";

const SecondFactorDialog = lazyDialog(() => import("./second-factor-dialog").then((file) => file.SecondFactorDialog));

/**
 * Asks for the second factor when a call of this page needs it: one dialog, no matter how many calls wait for it. The
 * client of the API then repeats the calls.
 */
export function SecondFactorGate() {
  const { show, onOpenChange, ...state } = useDialog();
  const [options, setOptions] = useState<OperationOutput<"auth/get-second-factor-options">>();
  const answer = useRef<(confirmed: boolean) => void>(() => {});

  useEffect(() => {
    return onSecondFactorNeeded(async () => {
      try {
        setOptions(await query("auth/get-second-factor-options", {}));
      } catch (error) {
        // The session has not passed its second factor, or has ended: the session guard opens the page for it.
        if (error instanceof ApiCallError && isSessionProblem(error.problem)) return null;
        throw error;
      }
      show();
      return new Promise<boolean>((resolve) => {
        answer.current = resolve;
      });
    });
  }, [show]);

  const close = (confirmed: boolean) => {
    onOpenChange(false);
    answer.current(confirmed);
  };

  return (
    <OpenedDialog state={{ ...state, show, onOpenChange: (open) => (open ? onOpenChange(true) : close(false)) }}>
      {(dialog) => options && <SecondFactorDialog options={options} onConfirmed={() => close(true)} {...dialog} />}
    </OpenedDialog>
  );
}
