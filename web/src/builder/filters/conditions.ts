import type { FileFilter } from '@docent/sdk'
import {
  type EditedValue,
  isSame,
  NO_VALUE,
  type PlainValue,
  toEdited,
  toKind,
  toValue,
  type ValueKind,
} from '../../drive/drive.ts'

/** Lists of a filter: all conditions of the one have to be met, and any of the other. */
export const FILTER_LISTS = ['all', 'any'] as const
export type FilterList = (typeof FILTER_LISTS)[number]

export type Condition = NonNullable<FileFilter['all']>[number]

/** Operations, with `absent` for `exists: false`. */
export const OPERATIONS = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'exists', 'absent'] as const
export type Operation = (typeof OPERATIONS)[number]

/** Condition as fields edit it. */
export interface EditedCondition {
  id: number
  list: FilterList
  key: string
  operation: Operation
  value: EditedValue
  /** Condition that it was read from. */
  before?: Condition
}

const PLAIN: readonly ValueKind[] = ['text', 'number', 'date', 'time', 'boolean']
const ORDERED: readonly ValueKind[] = ['number', 'date', 'time']
const LISTS: readonly ValueKind[] = ['list', 'numbers']

/** Kinds of values that an operation compares with; none for those without a value. */
export function kindsOf(operation: Operation): readonly ValueKind[] {
  if (operation === 'exists' || operation === 'absent') return []
  if (operation === 'in') return LISTS
  return operation === 'eq' || operation === 'ne' ? PLAIN : ORDERED
}

/** Changes the operation; a value that it cannot compare with becomes one that it can, as far as it reads as one. */
export function withOperation(condition: EditedCondition, operation: Operation): EditedCondition {
  const kinds = kindsOf(operation)
  const { value } = condition
  const isFitting = kinds.length === 0 || kinds.includes(value.kind)
  return { ...condition, operation, value: isFitting ? value : toKind(value, kinds[0]!) }
}

/** Conditions of a filter, those of `all` first. */
export const toConditions = (filter: FileFilter | null): EditedCondition[] =>
  FILTER_LISTS.flatMap((list) => (filter?.[list] ?? []).map((condition) => ({ list, condition }))).map(
    ({ list, condition }, id) => ({ id, list, ...toFields(condition) }),
  )

function toFields(condition: Condition): Omit<EditedCondition, 'id' | 'list'> {
  const { key, op, value } = condition
  if (op === 'exists') return { key, operation: value ? 'exists' : 'absent', value: NO_VALUE, before: condition }
  return { key, operation: op, value: toEdited(value), before: condition }
}

/** Filter of conditions; those that are not filled in yet are left out. Null: no condition. */
export function toFilter(conditions: EditedCondition[]): FileFilter | null {
  const filter: FileFilter = {}
  for (const list of FILTER_LISTS) {
    const made = conditions.filter((one) => one.list === list).flatMap((one) => toCondition(one) ?? [])
    if (made.length > 0) filter[list] = made
  }
  return Object.keys(filter).length > 0 ? filter : null
}

/** Condition of what was entered; undefined while that is not complete. */
function toCondition({ key: typed, operation, value: edited, before }: EditedCondition): Condition | undefined {
  const key = typed.trim()
  if (key === '') return undefined
  if (operation === 'exists' || operation === 'absent') return { key, op: 'exists', value: operation === 'exists' }
  const known = before && before.op !== 'exists' && isSame(edited, toEdited(before.value)) ? before.value : undefined
  const value = known ?? toValue(edited)
  if (operation === 'in')
    return Array.isArray(value) && value.length > 0 ? { key, op: 'in', value: value as PlainValue[] } : undefined
  if (value === undefined || (value === '' && known === undefined) || Array.isArray(value)) return undefined
  if (operation === 'eq' || operation === 'ne') return { key, op: operation, value }
  return typeof value === 'boolean' ? undefined : { key, op: operation, value }
}
