"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { CopyButton } from "@/components/common/copy-button";
import { ErrorState } from "@/components/common/error-state";
import type { DialogProps } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { ApiCallError, type ApiProblem, query } from "@/lib/client/client";
import { useProblemTexts } from "@/lib/client/use-operation";
import type { Environment, EnvironmentConfiguration } from "@/lib/features/environments/schema";
import { CliConfiguration, MobileConfiguration, ServerConfiguration } from "./configuration";

export type ConfigurationKind = keyof EnvironmentConfiguration;

export type ConfigurationDialogProps = DialogProps & {
  kind: ConfigurationKind;
  environment: Pick<Environment, "id" | "name">;
  /** The page where API tokens are created; null if the user cannot create them. */
  tokensHref: string | null;
};

/** What a server, the mobile app or the command line needs to connect to an environment, for copying. */
export function ConfigurationDialog({ kind, environment, tokensHref, open, onOpenChange }: ConfigurationDialogProps) {
  const t = useTranslations("environments.configuration");
  const common = useTranslations("common");
  const { found, problem, retry } = useConfiguration(environment.id);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="lg">
        <DialogHeader>
          <DialogTitle>{t(kind)}</DialogTitle>
          <DialogDescription>{t(`${kind}Description`, { name: environment.name })}</DialogDescription>
        </DialogHeader>
        <DialogBody className="pb-5">
          {problem ? (
            <ErrorState
              title={t("failed")}
              description={problem.detail}
              code={problem.requestId ?? undefined}
              onRetry={retry}
            />
          ) : !found ? (
            <ConfigurationSkeleton />
          ) : kind === "server" ? (
            <ServerConfiguration
              configuration={found.configuration.server}
              publicKey={found.publicKey}
              tokensHref={tokensHref}
            />
          ) : kind === "mobile" ? (
            <MobileConfiguration
              configuration={found.configuration.mobile}
              publicKey={found.publicKey}
              tokensHref={tokensHref}
            />
          ) : (
            <CliConfiguration
              configuration={found.configuration.cli}
              publicKey={found.publicKey}
              tokensHref={tokensHref}
            />
          )}
        </DialogBody>
        <DialogFooter>
          {found && <CopyButton value={JSON.stringify(found.configuration[kind], null, 2)} text={t("copyAll")} />}
          <DialogClose asChild>
            <Button variant="secondary">{common("close")}</Button>
          </DialogClose>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

type Found = { configuration: EnvironmentConfiguration; publicKey: string };

/** Fetches the configuration of an environment, which is not part of lists, and the key that signs what clients read. */
function useConfiguration(environmentId: string) {
  const withTexts = useProblemTexts();
  const [attempt, setAttempt] = useState(0);
  const [found, setFound] = useState<Found | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt fetches again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    Promise.all([
      query("apps/get-environment-app", { id: environmentId }, { signal }),
      query("config/get-public-key", {}, { signal }),
    ]).then(
      ([{ configuration }, { keys }]) =>
        setFound({ configuration, publicKey: keys.find(({ use }) => use === "sig")?.x as string }),
      (error: unknown) => {
        if (signal.aborted) return;
        if (!(error instanceof ApiCallError)) throw error;
        setProblem(withTexts(error.problem));
      },
    );
    return () => controller.abort();
  }, [environmentId, withTexts, attempt]);

  const retry = () => {
    setProblem(null);
    setAttempt(attempt + 1);
  };
  return { found, problem, retry };
}

function ConfigurationSkeleton() {
  const t = useTranslations("common");
  return (
    <div role="status" aria-label={t("loading")} className="flex flex-col gap-5">
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-24 w-full" />
      {["w-3/4", "w-2/3", "w-4/5", "w-1/2"].map((width) => (
        <Skeleton key={width} className={`h-4 ${width}`} />
      ))}
    </div>
  );
}
