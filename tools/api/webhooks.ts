const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

/** Requests that Docent sends to receivers: docs/webhooks.md. */
export const WEBHOOKS = {
  'message.answered': {
    post: {
      operationId: 'webhooks.messageAnswered',
      tags: ['Webhooks'],
      summary: 'The result of an asynchronous query',
      description:
        'Sent to the `webhook_url` of the query, at least once: again after growing pauses, until a receiver answers with 2xx within 15 seconds. It is signed as the Standard Webhooks specification says, with the secret of `GET /v1/workspaces/{workspace_id}/webhook-secret`.',
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
        content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookBody' } } },
      },
      responses: {
        '2XX': { description: 'Taken' },
        '410': { description: 'Never send this one again' },
        default: { description: 'Sent again later' },
      },
      security: [],
    },
  },
}
