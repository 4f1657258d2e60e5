import { t } from '@lingui/core/macro'
import type { Ref } from 'react'
import type { PassageTable } from '../../drive/drive.ts'
import { cx } from '../../ui/class-names.ts'
import { ScrollBox } from '../../ui/layout/scroll-box.tsx'

interface SourceTableProps {
  table: PassageTable
  /** Numbers of the rows that the answer speaks of. */
  marked: number[]
  /** First of these rows. */
  ref?: Ref<HTMLTableRowElement>
}

/** Rows of a table that is cited, under the names of its columns. */
export const SourceTable = ({ table, marked, ref }: SourceTableProps) => (
  <ScrollBox label={t`Rows of the table`} className="rounded-card border border-line bg-paper">
    <table dir="auto" className="w-full border-collapse text-start text-sm">
      <thead className="bg-canvas">
        <tr>
          {table.header.map((name) => (
            <th key={name} scope="col" className="px-3 py-2 text-start font-medium text-muted">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((cells, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows may read alike.
          <tr key={at} ref={at === marked[0] ? ref : undefined} className="border-t border-line align-top">
            {cells.map((cell, column) => (
              <td key={table.header[column]} className={cx('px-3 py-2', marked.includes(at) && 'bg-mark text-on-mark')}>
                {marked.includes(at) ? <mark className="bg-transparent text-inherit">{cell}</mark> : cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollBox>
)
