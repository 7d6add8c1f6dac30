import { buildCommand, buildRouteMap } from "@stricli/core";
import type { ListWebhooksFlags, TestWebhookFlags } from "../actions/webhooks";
import type { Context } from "../lib/context";
import { consoleFlag, jsonFlag, parseLimit, textArgument, textFlag } from "./flags";

const listCommand = buildCommand<ListWebhooksFlags, [], Context>({
  loader: async () => (await import("../actions/webhooks")).list,
  parameters: {
    flags: {
      console: consoleFlag,
      limit: {
        kind: "parsed",
        parse: parseLimit,
        default: "25",
        placeholder: "number",
        brief: "How many webhooks, at most 100",
      },
      json: jsonFlag,
    },
  },
  docs: { brief: "List the webhooks of a console", fullDescription: "Only administrators see them." },
});

const testCommand = buildCommand<TestWebhookFlags, [string], Context>({
  loader: async () => (await import("../actions/webhooks")).test,
  parameters: {
    flags: {
      console: consoleFlag,
      event: textFlag("type", "The event, such as release.published; by default the first one of the webhook"),
      json: jsonFlag,
    },
    positional: { kind: "tuple", parameters: [textArgument("id", "The ID of the webhook")] },
  },
  docs: {
    brief: "Send an example of an event to a webhook",
    fullDescription: "Says how the receiver answered, and ends with 1 if it did not accept the message.",
  },
});

export const webhooksRoutes = buildRouteMap({
  routes: { list: listCommand, test: testCommand },
  docs: { brief: "List and test webhooks" },
});
