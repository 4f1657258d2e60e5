import type { ReactNode } from 'react'
import { cx } from '../class-names.ts'
import { ArrowDown, ArrowUp } from '../icons.ts'
import { ScrollBox } from '../layout/scroll-box.tsx'

export interface Column<T> {
  /** Unique key; also the sort key of a sortable column. */
  key: string
  header: ReactNode
  cell: (row: T) => ReactNode
  isSortable?: boolean
  isNumber?: boolean
  /** Classes of the header and the cells: widths, and columns hidden on narrow screens. */
  className?: string
}

export interface Sorting {
  by: string
  order: 'asc' | 'desc'
}

interface TableProps<T> {
  /** Accessible name. */
  label: string
  columns: Column<T>[]
  rows: T[]
  rowKey: (row: T) => string
  sorting?: Sorting
  onSort?: (sorting: Sorting) => void
  /** Shows that other rows are loading. */
  isStale?: boolean
}

/**
 * Table in a frame that scrolls sideways if needed. A link with the class `stretched` makes its whole row clickable.
 */
export function Table<T>({ label, columns, rows, rowKey, sorting, onSort, isStale }: TableProps<T>) {
  return (
    <ScrollBox label={label} className="rounded-card border border-line">
      <table className={cx('w-full border-collapse text-start', isStale && 'opacity-60')}>
        <thead className="bg-canvas text-sm">
          <tr>
            {columns.map(({ key, header, isSortable, isNumber, className }) => (
              <th
                key={key}
                scope="col"
                aria-sort={sorting?.by === key ? (sorting.order === 'asc' ? 'ascending' : 'descending') : undefined}
                className={cx(
                  'px-2.5 py-2 font-medium whitespace-nowrap text-muted',
                  isNumber && 'text-end',
                  className,
                )}
              >
                {isSortable && onSort ? (
                  <SortButton by={key} sorting={sorting} onSort={onSort}>
                    {header}
                  </SortButton>
                ) : (
                  header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">
          {rows.map((row) => (
            <tr key={rowKey(row)} className="relative transition-colors hover:bg-hover">
              {columns.map(({ key, cell, isNumber, className }) => (
                <td key={key} className={cx('px-2.5 py-2.5 align-top', isNumber && 'text-end tabular-nums', className)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

interface SortButtonProps {
  by: string
  sorting: Sorting | undefined
  onSort: (sorting: Sorting) => void
  children: ReactNode
}

function SortButton({ by, sorting, onSort, children }: SortButtonProps) {
  const isActive = sorting?.by === by
  const Arrow = isActive && sorting.order === 'asc' ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      onClick={() => onSort({ by, order: isActive && sorting.order === 'desc' ? 'asc' : 'desc' })}
      className="group inline-flex items-center gap-1 rounded-control hover:text-ink"
    >
      {children}
      <Arrow size={13} className={cx(!isActive && 'opacity-0 group-hover:opacity-60')} aria-hidden />
    </button>
  )
}

/** Classes of the one link or button that stands for a whole row. */
export const stretched = 'rounded-control font-medium before:absolute before:inset-0'
