const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const sent = (operation: { operationId: string; summary: string; description: string; schema: string }) => {
  const { schema, ...described } = operation
  return {
    post: {
      ...described,
      tags: ['Webhooks'],
      parameters: [
        header('webhook-id', 'Id of the delivery, the same at each attempt', '6740a1b2c3d4e5f6a7b80001'),
        header('webhook-timestamp', 'Seconds since 1970 at which it was signed', '1769851800'),
        header(
          'webhook-signature',
          'One or more `v1,BASE64`, each the HMAC-SHA256 of `ID.TIMESTAMP.BODY`',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
      },
      responses: {
        '2XX': { description: 'Taken' },
        '410': { description: 'Never send this one again' },
        default: { description: 'Sent again later' },
      },
      security: [],
    },
  }
}

const event = (operationId: string, summary: string, schema: string) =>
  sent({
    operationId,
    summary,
    schema,
    description:
      'Sent to the endpoints of a workspace that chose it (`POST /v1/workspaces/{workspace_id}/webhook-endpoints`), at least once, and tried again like the result of a query. It is signed as the Standard Webhooks specification says, with the secret of the endpoint.',
  })

/** Requests that Docent sends to receivers: docs/webhooks.md. */
export const WEBHOOKS = {
  'message.answered': sent({
    operationId: 'webhooks.messageAnswered',
    summary: 'The result of an asynchronous query',
    description:
      'Sent to the `webhook_url` of the query, at least once: again after growing pauses, until a receiver answers with 2xx within 15 seconds. It is signed as the Standard Webhooks specification says, with the secret of `GET /v1/workspaces/{workspace_id}/webhook-secret`.',
    schema: 'WebhookBody',
  }),
  'data_source.indexed': event('webhooks.dataSourceIndexed', 'Searches find a file', 'DataSourceIndexedEvent'),
  'data_source.failed': event('webhooks.dataSourceFailed', 'A file cannot be indexed', 'DataSourceFailedEvent'),
  'integration.failed': event(
    'webhooks.integrationFailed',
    'The sync of a linked folder failed',
    'IntegrationFailedEvent',
  ),
  'message.waiting': event('webhooks.messageWaiting', 'A message waits for a review', 'MessageWaitingEvent'),
  'evaluation.finished': event(
    'webhooks.evaluationFinished',
    'A run of a question set has ended',
    'EvaluationFinishedEvent',
  ),
  'evaluation.regressed': event(
    'webhooks.evaluationRegressed',
    'A measure of an agent got worse than allowed',
    'EvaluationRegressedEvent',
  ),
  'webhook.test': event('webhooks.test', 'Somebody asked for a test of the endpoint', 'WebhookTestEvent'),
}
