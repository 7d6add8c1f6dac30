-- CreateIndex
CREATE INDEX "WebhookDelivery_webhookId_at_id_idx" ON "WebhookDelivery"("webhookId", "at" DESC, "id" DESC);
