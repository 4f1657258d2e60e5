// biome-ignore-all lint/a11y/useFocusableInteractive: the rows are what has the focus.
// biome-ignore-all lint/a11y/useSemanticElements: rows that are set by hand, of which most are not there, are no table to a browser.

import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type DragEvent, type MouseEvent, memo, type RefObject } from 'react'
import { useMe } from '../../access/access.ts'
import { formatBytes, formatTime } from '../../platform/format.ts'
import { cx } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { Ellipsis, Link2, Users } from '../../ui/icons.ts'
import { Tag } from '../../ui/notices/badge.tsx'
import { useFolder } from '../drive.queries.ts'
import { useDropTarget } from '../moves/drag.ts'
import { useReadOnly } from '../rights.ts'
import { failureInWords } from './failure-words.ts'
import { FileIcon, FolderIcon } from './file-icon.tsx'
import { FileStatusBadge } from './file-status.tsx'
import { type FolderItem, type Item, parentFolderId } from './items.ts'
import { gridClass } from './table-grid.ts'

interface ItemRowProps {
  /** Undefined while loading. */
  item: Item | undefined
  row: number
  top: number
  height: number
  within: KnowledgeBase | null
  isSearch: boolean
  isActive: boolean
  isSelected: boolean
  /** Stable object: a row renders again only when its own data changes. */
  handlers: RefObject<RowHandlers>
}

/** Callbacks from a row to its table. */
export interface RowHandlers {
  onFocus: (row: number) => void
  onClick: (event: MouseEvent, item: Item, row: number) => void
  onOpen: (item: Item) => void
  onToggle: (item: Item, row: number, isRange: boolean) => void
  onMenu: (item: Item, row: number, at: DOMRect) => void
  onDragStart: (event: DragEvent, item: Item, row: number) => void
  onDragEnd: () => void
}

export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { item, row, top, height, isActive, isSelected, handlers: callbacks } = props
  const readOnly = useReadOnly()
  const isFolder = item?.kind === 'folder'
  const { isOver, handlers } = useDropTarget({
    target: isFolder ? item.folder : null,
    isReadOnly: !isFolder || readOnly([item], null) !== undefined,
  })
  const rowStyle = { height, transform: `translateY(${top}px)` }
  const rowClass = 'absolute inset-x-0 top-0 border-b border-line'
  if (!item)
    return (
      <div role="row" aria-rowindex={row + 2} tabIndex={-1} className={cx(gridClass, rowClass)} style={rowStyle}>
        <div role="gridcell" className="col-start-2">
          <span className="block h-3 w-40 animate-breathe rounded bg-hover">
            <span className="sr-only">
              <Trans>Loading</Trans>
            </span>
          </span>
        </div>
      </div>
    )

  /** Only controls of the active row take part in the Tab order. */
  const tabIndex = isActive ? 0 : -1
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys of all its rows.
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      tabIndex={tabIndex}
      draggable={!readOnly([item], props.within)}
      onFocus={() => callbacks.current.onFocus(row)}
      onClick={(event) => callbacks.current.onClick(event, item, row)}
      onDoubleClick={(event) =>
        !(event.target as Element).closest('a, button, input') && callbacks.current.onOpen(item)
      }
      onContextMenu={(event) => {
        if ((event.target as Element).closest('a') && event.shiftKey) return
        event.preventDefault()
        const { clientX: x, clientY: y, buttons, currentTarget: element } = event
        // The menu key has no pointer position.
        const at = x === 0 && y === 0 ? element.getBoundingClientRect() : new DOMRect(x, y, 0, 0)
        const open = () => callbacks.current.onMenu(item, row, at)
        // While the mouse button is still down, its release would close the menu at once.
        if (buttons === 0) open()
        else addEventListener('pointerup', () => setTimeout(open), { once: true })
      }}
      onDragStart={(event) => callbacks.current.onDragStart(event, item, row)}
      onDragEnd={() => callbacks.current.onDragEnd()}
      {...(isFolder && handlers)}
      style={rowStyle}
      className={cx(
        gridClass,
        rowClass,
        'group cursor-default select-none focus-visible:outline-offset-[-2px]',
        isSelected ? 'bg-accent-soft' : 'hover:bg-hover',
        isOver && 'bg-accent-soft ring-2 ring-accent ring-inset',
      )}
    >
      <div role="gridcell" className="flex justify-center">
        <Checkbox
          aria-label={t`Choose ${item.name}`}
          tabIndex={tabIndex}
          checked={isSelected}
          onChange={(event) =>
            callbacks.current.onToggle(item, row, (event.nativeEvent as unknown as MouseEvent).shiftKey)
          }
          className={cx(
            !isSelected &&
              'opacity-0 transition-opacity group-hover:opacity-100 group-focus-within:opacity-100 pointer-coarse:opacity-100',
          )}
        />
      </div>
      <div role="gridcell" className="flex min-w-0 items-center gap-3 md:pe-4">
        {isFolder ? <FolderIcon folder={item.folder} /> : <FileIcon name={item.file.file_name || item.name} />}
        <div className="min-w-0 flex-1">
          <div className="flex min-w-0 items-center gap-2">
            <ItemLink item={item} tabIndex={tabIndex} />
            {isFolder && <FolderMarks item={item} within={props.within} />}
          </div>
          <SubLine item={item} isSearch={props.isSearch} />
        </div>
      </div>
      <div role="gridcell" className="max-md:hidden">
        {item.kind === 'file' && <FileStatusBadge file={item.file} />}
      </div>
      <div role="gridcell" className="text-sm text-muted tabular-nums max-lg:hidden">
        {item.kind === 'file' && formatBytes(item.file.size_bytes)}
      </div>
      <div role="gridcell" className="text-sm text-muted max-md:hidden">
        <Time iso={item.kind === 'file' ? item.file.created_at : item.folder.created_at} />
      </div>
      <div role="gridcell" className="flex justify-end">
        <IconButton
          label={t`Actions for ${item.name}`}
          icon={Ellipsis}
          tabIndex={tabIndex}
          aria-haspopup="menu"
          onClick={(event) => callbacks.current.onMenu(item, row, event.currentTarget.getBoundingClientRect())}
        />
      </div>
    </div>
  )
})

function ItemLink({ item, tabIndex }: { item: Item; tabIndex: number }) {
  const shared = {
    tabIndex,
    draggable: false,
    title: item.name,
    className: 'truncate rounded-[0.25rem] font-medium hover:underline hover:decoration-1 hover:underline-offset-3',
    children: <bdi>{item.name}</bdi>,
  }
  return item.kind === 'folder' ? (
    <Link to="/drive/$folderId" params={{ folderId: item.id }} {...shared} />
  ) : (
    <Link
      to="/drive/$folderId/$fileId"
      params={{ folderId: item.file.knowledge_base_id, fileId: item.id }}
      {...shared}
    />
  )
}

const MOST_TAGS = 3

/** Marks of a folder: linked, shared by others, tags. */
function FolderMarks({ item: { folder }, within }: { item: FolderItem; within: KnowledgeBase | null }) {
  const { data: me } = useMe()
  const isShared = me !== undefined && folder.organization_id !== me.organization.id && !within
  const isLinked = folder.integration_id !== null && folder.integration_id !== within?.integration_id
  return (
    <span className="flex shrink-0 items-center gap-1.5 max-sm:hidden">
      {isLinked && (
        <Mark icon={Link2} title={t`Synced from a source`}>
          {t`Linked`}
        </Mark>
      )}
      {isShared && (
        <Mark icon={Users} title={t`Another organization shares this with you, for reading`}>
          {t`Shared with you`}
        </Mark>
      )}
      {folder.user_defined_tags.slice(0, MOST_TAGS).map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
      {folder.user_defined_tags.length > MOST_TAGS && (
        <span className="text-sm text-muted">+{folder.user_defined_tags.length - MOST_TAGS}</span>
      )}
    </span>
  )
}

export const Mark = ({ icon: Icon, title, children }: { icon: typeof Link2; title: string; children: string }) => (
  <span
    title={title}
    className="inline-flex items-center gap-1 rounded-[0.35rem] bg-accent-soft px-1.5 py-0.5 text-sm whitespace-nowrap text-accent"
  >
    <Icon size={13} aria-hidden />
    {children}
  </span>
)

/**
 * Second line of a row: why a file is not indexed, the folder of a search result, and the columns that narrow screens
 * lack.
 */
function SubLine({ item, isSearch }: { item: Item; isSearch: boolean }) {
  if (item.kind === 'file' && item.file.status === 'failed' && item.file.status_reason)
    return (
      <p dir="auto" className="truncate text-sm text-bad rtl:text-right" title={failureInWords(item.file) ?? undefined}>
        {failureInWords(item.file)}
      </p>
    )
  if (isSearch) return <Where parentId={parentFolderId(item)} />
  if (item.kind === 'folder') return null
  const { size_bytes, created_at, status } = item.file
  return (
    <p className="truncate text-sm text-muted md:hidden">
      {status !== 'successful' && (
        <>
          <FileStatusBadge file={item.file} /> ·{' '}
        </>
      )}
      {formatBytes(size_bytes)} · {formatTime(created_at)}
    </p>
  )
}

function Where({ parentId }: { parentId: string | null }) {
  const { data } = useFolder(parentId)
  return (
    <p className="truncate text-sm text-muted">
      <Trans>in {data?.name ?? (parentId ? '…' : t`Drive`)}</Trans>
    </p>
  )
}
