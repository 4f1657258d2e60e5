import type { FastifyPluginAsync } from 'fastify'
import type { Kernel } from '../kernel.ts'
import { createDeliveryRetention } from './deliveries/deliveries.retention.ts'
import { createDeliveryService } from './deliveries/deliveries.service.ts'
import { createEmitEvent } from './endpoints/emit-event.ts'
import { createEndpointSecrets } from './endpoints/endpoint-secrets.ts'
import { endpointRoutes } from './endpoints/endpoints.routes.ts'
import { EndpointService } from './endpoints/endpoints.service.ts'
import { type ListeningRoutesOptions, listeningRoutes } from './listening/listening.routes.ts'
import { createListeningService, type ListeningOptions } from './listening/listening.service.ts'
import { createSecretService } from './secrets/secrets.service.ts'
import { createWebhookMetrics } from './webhooks.metrics.ts'
import { webhookRoutes } from './webhooks.routes.ts'
import { createWebhookService } from './webhooks.service.ts'
import { type WebhookTasksOptions, webhookTasks } from './webhooks.tasks.ts'

export type { EmitEvent } from './endpoints/emit-event.ts'
export type { WebhookService } from './webhooks.service.ts'

/** Deliveries of answers and events, the endpoints of workspaces, and the secrets that sign. */
export function createWebhooks(kernel: Kernel) {
  const webhooks = createWebhookService(kernel)
  const endpointSecrets = createEndpointSecrets(kernel.getSecret)
  const webhookSecrets = createSecretService(kernel)
  return {
    webhooks,
    emitEvent: createEmitEvent(kernel),
    webhookSecrets,
    endpointSecrets,
    endpoints: new EndpointService({ ...kernel, webhooks, endpointSecrets }),
    deliveries: createDeliveryService(kernel),
  }
}

export const webhooksRoutes =
  (
    services: Parameters<typeof webhookRoutes>[0] & Parameters<typeof endpointRoutes>[0] & ListeningRoutesOptions,
  ): FastifyPluginAsync =>
  async (app) => {
    await app.register(webhookRoutes(services))
    await app.register(endpointRoutes(services))
    await app.register(listeningRoutes(services))
  }

/**
 * Begins the deliveries, and what tells those who listen. The bodies of results are the chats' to write.
 */
export function sendWebhooks(
  kernel: Kernel,
  {
    messageBody,
    messageBodyFor,
    webhookSecrets,
    endpointSecrets,
  }: Pick<WebhookTasksOptions, 'messageBody'> &
    Pick<ListeningOptions, 'messageBodyFor'> &
    ReturnType<typeof createWebhooks>,
) {
  const { config, metrics } = kernel
  const tasks = webhookTasks({
    ...kernel,
    secrets: webhookSecrets,
    endpointSecrets,
    messageBody,
    metrics: createWebhookMetrics(metrics, kernel),
    ...config.webhooks,
  })
  const retention = createDeliveryRetention({ ...kernel, keptMs: config.retention.deliveriesMs })
  kernel.register({ ...tasks, sweeps: [retention] })
  return { listening: createListeningService({ ...kernel, webhookSecrets, messageBodyFor }) }
}
