import type { Kernel } from '../kernel.ts'
import { createDeliveryRetention } from './deliveries/deliveries.retention.ts'
import { createDeliveryService } from './deliveries/deliveries.service.ts'
import { createSecretService } from './secrets/secrets.service.ts'
import { createWebhookMetrics } from './webhooks.metrics.ts'
import { createWebhookService } from './webhooks.service.ts'
import { type WebhookTasksOptions, webhookTasks } from './webhooks.tasks.ts'

export { webhookRoutes as webhooksRoutes } from './webhooks.routes.ts'
export type { WebhookService } from './webhooks.service.ts'

/** Deliveries of answers, and the secrets that sign them. */
export const createWebhooks = (kernel: Kernel) => ({
  webhooks: createWebhookService(kernel),
  webhookSecrets: createSecretService(kernel),
  deliveries: createDeliveryService(kernel),
})

/** Begins the deliveries. @param needs.messageBody the body of a delivery, which is the chats' to write */
export function sendWebhooks(
  kernel: Kernel,
  { messageBody, webhookSecrets }: Pick<WebhookTasksOptions, 'messageBody'> & ReturnType<typeof createWebhooks>,
): void {
  const { config, metrics } = kernel
  const tasks = webhookTasks({
    ...kernel,
    secrets: webhookSecrets,
    messageBody,
    metrics: createWebhookMetrics(metrics, kernel),
    ...config.webhooks,
  })
  const retention = createDeliveryRetention({ ...kernel, keptMs: config.retention.deliveriesMs })
  kernel.register({ ...tasks, sweeps: [retention] })
}
