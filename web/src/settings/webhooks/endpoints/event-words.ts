import type { WebhookEndpoint } from '@docent/sdk'
import { t } from '@lingui/core/macro'

export type ChosenType = WebhookEndpoint['event_types'][number]

/** Types of events in words. */
export const eventTypes = (): Record<ChosenType, string> => ({
  'data_source.indexed': t`A file can be found`,
  'data_source.failed': t`A file cannot be indexed`,
  'integration.failed': t`A linked folder fails`,
  'message.waiting': t`A message waits for a review`,
  'evaluation.finished': t`A run of a question set ends`,
  'evaluation.regressed': t`An agent got worse in a nightly run`,
})

/** Later versions may send types that this one does not know. */
export const eventInWords = (type: string): string =>
  type === 'webhook.test' ? t`Test` : ((eventTypes() as Record<string, string>)[type] ?? type)
