"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import type { z } from "zod";
import { ErrorState } from "@/components/common/error-state";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { SortableList } from "@/components/common/sortable-list";
import type { DialogProps } from "@/components/common/use-dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { query } from "@/lib/client/client";
import { useNotifiedCall, useOperation } from "@/lib/client/use-operation";
import { reorderEnvironmentsInput } from "@/lib/features/environments/schema";

type Named = { id: string; name: string };
type Load = ReturnType<typeof useNotifiedCall>;

const PAGE_SIZE = 100;

/** The environments of an application that the user may change, in their order; null if they could not be loaded. */
async function loadEnvironments(load: Load, appId: string): Promise<Named[] | null> {
  const found: Named[] = [];
  let cursor: string | undefined;
  do {
    const page = await load(() => query("apps/get-app-environments", { appId, limit: PAGE_SIZE, cursor }));
    if (!page) return null;
    found.push(...page.items.filter(({ scopes }) => scopes.includes("environment:write")));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return found.map(({ id, name }) => ({ id, name }));
}

/** Puts the environments of an application in order. */
export function EnvironmentOrderDialog({ appId, open, onOpenChange }: DialogProps & { appId: string }) {
  const t = useTranslations("environments.order");
  const load = useNotifiedCall();
  const { run } = useOperation("apps/reorder-environments");
  const [items, setItems] = useState<readonly Named[] | "loading" | "failed">("loading");
  const form = useZodForm(reorderEnvironmentsInput, { defaultValues: { appId, environmentIds: [] as string[] } });
  const { reset, setValue } = form;

  useEffect(() => {
    if (items !== "loading") return;
    let isCurrent = true;
    const show = (loaded: Named[] | null) => {
      if (!isCurrent) return;
      setItems(loaded ?? "failed");
      reset({ appId, environmentIds: loaded?.map(({ id }) => id) ?? [] });
    };
    loadEnvironments(load, appId).then(show, () => show(null));
    return () => {
      isCurrent = false;
    };
  }, [items, appId, load, reset]);

  const change = (next: Named[]) => {
    setItems(next);
    setValue(
      "environmentIds",
      next.map(({ id }) => id),
      { shouldDirty: true },
    );
  };
  const submit = async (order: z.output<typeof reorderEnvironmentsInput>) => {
    const result = await run({ ...order, expected: form.formState.defaultValues?.environmentIds as string[] });
    // Shows the order that somebody else has chosen.
    if (!result.ok && result.problem.code === "conflict") setItems("loading");
    return result;
  };
  const isReady = typeof items !== "string";
  const count = isReady ? items.length : 0;
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("title")}
      description={t("description")}
      form={form}
      onSubmit={submit}
      successNotice={() => t("saved")}
      refreshes
      submitLabel={t("save")}
    >
      {items === "loading" && <Skeleton className="h-48" />}
      {items === "failed" && <ErrorState onRetry={() => setItems("loading")} />}
      {isReady && (
        <SortableList
          label={t("title")}
          items={items}
          onChange={change}
          texts={{
            handle: (name, position) => t("handle", { name, position, count }),
            up: (name) => t("up", { name }),
            down: (name) => t("down", { name }),
            moved: (name, position) => t("moved", { name, position, count }),
          }}
        />
      )}
    </FormDialog>
  );
}
