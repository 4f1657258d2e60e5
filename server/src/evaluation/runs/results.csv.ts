import type { EvaluationResult } from './runs.schemas.ts'

const COLUMNS = [
  'case_id',
  'status',
  'question',
  'answerable',
  'tags',
  'expected_answers',
  'answer',
  'cited_files',
  'recall_at_5',
  'recall_at_10',
  'ndcg_at_10',
  'quoted',
  'cited_expected',
  'declined',
  'declined_right',
  'judge_score',
  'judge_reason',
  'latency_ms',
  'input_tokens',
  'output_tokens',
  'cost_usd',
  'error_message',
] as const

/** Results as comma-separated values with a head line, as RFC 4180 has them; lists are divided by `|`. */
export function toCsv(results: readonly EvaluationResult[]): string {
  const lines = results.map((result) => {
    const { measures, cited, tags, expected_answers } = result
    const row: Record<string, unknown> = {
      ...result,
      ...measures,
      tags: tags.join('|'),
      expected_answers: expected_answers.join('|'),
      cited_files: [...new Set(cited.map(({ title }) => title))].join('|'),
    }
    return COLUMNS.map((column) => field(row[column])).join(',')
  })
  return [COLUMNS.join(','), ...lines, ''].join('\r\n')
}

function field(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  // A text that begins like a formula would be one in a spreadsheet.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
