import { t } from '@lingui/core/macro'
import { formatMonth } from '../../platform/format.ts'

const DAY_MS = 86_400_000

/** Group of a chat in the list: Today, Yesterday, Last 7 days, or its month. */
export function dayGroup(iso: string, now = new Date()): string {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const at = Date.parse(iso)
  if (at >= midnight) return t`Today`
  if (at >= midnight - DAY_MS) return t`Yesterday`
  if (at >= midnight - 7 * DAY_MS) return t`Last 7 days`
  return formatMonth(at)
}
