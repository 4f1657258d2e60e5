import { t } from '@lingui/core/macro'
import { formatNumber } from '../platform/format.ts'

/** Names of measures, as tables show them; unknown ones stay as they are. */
export function measureName(measure: string): string {
  const names: Record<string, string> = {
    recall_at_5: t`Found among 5`,
    recall_at_10: t`Found among 10`,
    ndcg_at_10: t`Order (nDCG@10)`,
    quoted: t`Expected text`,
    cited_expected: t`Right file cited`,
    declined_right: t`Rightly declined`,
    declined_wrong: t`Wrongly declined`,
    judge_score: t`Judge`,
    answered: t`Answered`,
  }
  return names[measure] ?? measure
}

/** A share from 0 to 1 in percent; a dash for none. */
export const formatShare = (share: number | null): string =>
  share === null ? '–' : `${formatNumber(Math.round(share * 1000) / 10)} %`

/** A difference of shares in percentage points, with its sign. */
export const formatDifference = (difference: number | null): string => {
  if (difference === null) return '–'
  const points = Math.round(difference * 1000) / 10
  return `${points > 0 ? '+' : ''}${formatNumber(points)}`
}
