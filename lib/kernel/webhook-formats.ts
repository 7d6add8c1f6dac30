/** The formats of the bodies that webhooks receive. */
export const WEBHOOK_FORMATS = ["standard", "slack", "teams", "discord", "google-chat", "mattermost"] as const;

export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];
