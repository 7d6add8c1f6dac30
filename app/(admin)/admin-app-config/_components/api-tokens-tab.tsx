import { ApiTokensTable } from "@/components/api-tokens/api-tokens-table";
import { CreateApiTokenButton, RequestedApiTokenDialog } from "@/components/api-tokens/create-api-token-button";
import { requestedToken } from "@/components/api-tokens/token-purpose";
import { call } from "@/lib/api/call";
import { getApiTokens } from "@/lib/features/api-tokens/operations/get-api-tokens";
import { getApiTokensInput } from "@/lib/features/api-tokens/schema";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { AppConfigFrame } from "./app-config-frame";

export async function ApiTokensTab({ query }: { query: SearchParams }) {
  const input = listQuery(getApiTokensInput, query);
  const wanted = requestedToken(query);
  const [tokens, environment] = await Promise.all([
    call(getApiTokens, input),
    wanted?.environmentId ? call(getEnvironmentApp, { id: wanted.environmentId }) : null,
  ]);
  // If there are no tokens, the empty state contains the button.
  const empty = tokens.total === 0 && !input.search;
  return (
    <AppConfigFrame current="apiTokens" action={empty ? undefined : <CreateApiTokenButton />}>
      <ApiTokensTable {...tokens} input={input} />
      <RequestedApiTokenDialog
        requested={
          wanted && {
            purpose: wanted.purpose,
            place: environment ? { app: environment.app, environment } : undefined,
          }
        }
      />
    </AppConfigFrame>
  );
}
