import type { FileFilter } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { formatValue } from '../../drive/drive.ts'
import type { Condition, Operation } from './conditions.ts'

/** Names of the operations of a condition, as they stand between its key and its value. */
export const operationNames = (): Record<Operation, string> => ({
  eq: t`is`,
  ne: t`is not`,
  in: t`is one of`,
  gt: t`is more than or after`,
  gte: t`is at least or from`,
  lt: t`is less than or before`,
  lte: t`is at most or until`,
  exists: t`is there`,
  absent: t`is not there`,
})

/** Lines that say what a filter demands: a condition each, with those of `any` after a line of their own. */
export function describeFilter({ all = [], any = [] }: FileFilter): string[] {
  return [...all.map(describeCondition), ...(any.length > 0 ? [t`One of these:`, ...any.map(describeCondition)] : [])]
}

function describeCondition(condition: Condition): string {
  const { key, op, value } = condition
  const names = operationNames()
  // A proposal may leave the value out, which is true then.
  if (op === 'exists') return `${key} ${value === false ? names.absent : names.exists}`
  return `${key} ${names[op]} ${formatValue(value)}`
}
