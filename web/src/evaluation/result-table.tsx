import type { EvaluationResult } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { formatDuration } from '../platform/format.ts'
import { formatLocation } from '../platform/format-location.ts'
import { Table } from '../ui/data/table.tsx'
import { later } from '../ui/later.tsx'
import { Fold } from '../ui/layout/fold.tsx'
import { ScrollBox } from '../ui/layout/scroll-box.tsx'
import { Badge } from '../ui/notices/badge.tsx'
import { formatShare, measureName } from './measure-names.ts'

const SafeMarkdown = later(async () => (await import('../ui/markdown/safe-markdown.tsx')).SafeMarkdown)

/** Results of a run: the answer, what it was held against, and the passages behind it. */
export const ResultTable = ({ results }: { results: EvaluationResult[] }) => (
  <Table
    label={t`Results`}
    rows={results}
    rowKey={({ case_id }) => case_id}
    columns={[
      {
        key: 'answer',
        header: t`Question and answer`,
        className: 'min-w-40 sm:min-w-64',
        cell: (result) => <Answer result={result} />,
      },
      { key: 'verdicts', header: t`Measures`, className: 'sm:w-48', cell: (result) => <Verdicts result={result} /> },
      {
        key: 'time',
        header: t`Time`,
        isNumber: true,
        className: 'max-sm:hidden whitespace-nowrap',
        cell: ({ latency_ms }) => (latency_ms === null ? '' : formatDuration(latency_ms)),
      },
    ]}
  />
)

function Answer({ result }: { result: EvaluationResult }) {
  const { is_hidden, question, answer, error_message, expected_answers, judge_reason, judge_error, found } = result
  if (is_hidden)
    return (
      <p className="text-muted">
        <Trans>Hidden: it depends on a file that you may not read now, or that is gone.</Trans>
      </p>
    )
  return (
    <>
      <p dir="auto" className="font-medium">
        {question}
      </p>
      {answer && (
        <ScrollBox label={question ?? ''} className="mt-1 max-h-48">
          <div className="prose text-sm">
            <SafeMarkdown text={answer} />
          </div>
        </ScrollBox>
      )}
      {error_message && <p className="mt-1 text-bad">{error_message}</p>}
      {judge_error && <p className="mt-1 text-sm text-bad">{judge_error}</p>}
      {judge_reason && <p className="mt-1 text-sm text-muted">{t`Judge: ${judge_reason}`}</p>}
      {expected_answers.length > 0 && (
        <p dir="auto" className="mt-1 text-sm text-muted">
          {t`Expected: ${expected_answers.join(' · ')}`}
        </p>
      )}
      {found.length > 0 && (
        <Fold summary={<Trans>Passages that were found</Trans>} className="mt-1 text-sm">
          <ol className="mt-1.5 list-decimal space-y-1.5 ps-5">
            {found.map(({ data_source_id, title, location, text }) => (
              <li key={`${data_source_id} ${text}`}>
                <span className="font-medium">{[title, formatLocation(location)].filter(Boolean).join(', ')}</span>
                <span dir="auto" className="line-clamp-3 text-muted">
                  {text}
                </span>
              </li>
            ))}
          </ol>
        </Fold>
      )}
    </>
  )
}

function Verdicts({ result: { status, measures, answerable } }: { result: EvaluationResult }) {
  if (status === 'pending')
    return (
      <Badge tone="quiet">
        <Trans>Waiting</Trans>
      </Badge>
    )
  if (!measures)
    return (
      <Badge tone="bad">
        <Trans>Failed</Trans>
      </Badge>
    )
  const { quoted, cited_expected, declined, declined_right, recall_at_10, judge_score } = measures
  const verdicts: [string, boolean][] = []
  if (quoted !== null) verdicts.push([measureName('quoted'), quoted])
  if (cited_expected !== null) verdicts.push([measureName('cited_expected'), cited_expected])
  if (declined_right !== null && (declined || !answerable))
    verdicts.push([declined ? t`Declined` : t`Not declined`, declined_right])
  return (
    <ul className="space-y-0.5">
      {verdicts.map(([name, isRight]) => (
        <li key={name}>
          <Badge tone={isRight ? 'good' : 'bad'}>
            {name}
            <span className="sr-only">{isRight ? t`: right` : t`: wrong`}</span>
          </Badge>
        </li>
      ))}
      {recall_at_10 !== null && (
        <li className="text-sm whitespace-nowrap text-muted">{`${measureName('recall_at_10')}: ${formatShare(recall_at_10)}`}</li>
      )}
      {judge_score !== null && (
        <li className="text-sm whitespace-nowrap text-muted">{`${measureName('judge_score')}: ${formatShare(judge_score)}`}</li>
      )}
    </ul>
  )
}
