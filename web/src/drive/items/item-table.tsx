// biome-ignore-all lint/a11y/useFocusableInteractive: the rows are what has the focus.
// biome-ignore-all lint/a11y/useSemanticElements: rows that are set by hand, of which most are not there, are no table to a browser.

import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { isMac } from '../../platform/command-key.ts'
import { cx } from '../../ui/class-names.ts'
import { ActionsHeader } from '../../ui/data/actions-header.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { ArrowDown, ArrowUp } from '../../ui/icons.ts'
import { MenuAt, MenuItem } from '../../ui/overlays/menu.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { endDrag, startDrag } from '../moves/drag.ts'
import type { ActionId } from './actions.ts'
import { useActions } from './actions.ts'
import type { Contents, RowRange } from './contents.ts'
import { ItemRow, type RowHandlers } from './item-row.tsx'
import type { Item } from './items.ts'
import { isAscending, ORDERS, type Order, orderBy } from './order.ts'
import * as select from './selection.ts'
import { gridClass } from './table-grid.ts'

const ROW_REM = 3.4
/** Height of the header row, which stays above the rows. */
const HEAD_REM = 2.5
const OVERSCAN = 8

interface ItemTableProps {
  contents: Contents
  within: KnowledgeBase | null
  order: Order
  isSearch: boolean
  selection: select.Selection
  onSelect: (change: select.Selection | ((now: select.Selection) => select.Selection)) => void
  onAct: (id: ActionId, items: Item[]) => void
  onRange: (range: RowRange) => void
  scroller: HTMLDivElement | null
}

/** Item last opened by keyboard. Keyboard use continues in its first row, and the way back leads to its own row. */
let openedByKey: string | null = null

const remPx = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/**
 * Table of folders and files that renders only visible rows. Arrows, Shift, Space and Enter work as in a file manager.
 */
export function ItemTable(props: ItemTableProps) {
  const { contents, within, order, isSearch, selection, onSelect, onAct, onRange, scroller } = props
  const { rows } = contents
  const [menu, setMenu] = useState<{ items: Item[]; at: DOMRect } | null>(null)
  const body = useRef<HTMLDivElement>(null)
  const isMoving = useRef(false)
  const isWithin = useRef(false)
  const navigate = useNavigate()
  const actionsFor = useActions(menu?.items ?? [], within)
  const active = Math.min(selection.active, Math.max(0, rows - 1))

  const virtualizer = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller,
    estimateSize: () => ROW_REM * remPx(),
    overscan: OVERSCAN,
    // The focused row stays rendered wherever the list is scrolled to.
    rangeExtractor: (range) =>
      [...new Set([active, ...defaultRangeExtractor(range)])].filter((row) => row < rows).sort((a, b) => a - b),
  })
  const { range } = virtualizer
  useEffect(() => {
    if (range) onRange({ first: range.startIndex, last: range.endIndex })
  }, [range, onRange])

  useEffect(() => {
    // When the focused row disappears, the row in its place gets the focus.
    const isLost = isWithin.current && document.activeElement === document.body
    if (!isMoving.current && !isLost) return
    const row = body.current?.querySelector<HTMLElement>(`[aria-rowindex="${active + 2}"]`)
    // A row that is not rendered yet gets the focus later.
    if (!row) return
    isMoving.current = false
    row.focus({ preventScroll: true })
  })

  const listId = within?._id ?? null
  const isThere = rows > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every list, as soon as there are rows.
  useEffect(() => {
    if (!isThere || openedByKey === null || document.activeElement !== document.body) return
    const known = Array.from({ length: rows }, (_, row) => contents.itemAt(row)?.id)
    const row = openedByKey === listId ? 0 : known.indexOf(openedByKey)
    if (row === -1) return
    goTo(row)
    onSelect((now) => select.goTo(now, row))
  }, [isThere, listId])

  const open = (item: Item) =>
    unawaited(
      navigate(
        item.kind === 'folder'
          ? { to: '/drive/$folderId', params: { folderId: item.id } }
          : { to: '/drive/$folderId/$fileId', params: { folderId: item.file.knowledge_base_id, fileId: item.id } },
      ),
    )

  async function extendTo(row: number) {
    const [first, last] = [Math.min(selection.anchor, row), Math.max(selection.anchor, row)]
    const items = await contents.itemsIn({ first, last })
    onSelect((now) => select.chooseRange(now, items, row))
  }

  /** All rows have the same height: measuring them would force a layout of the whole page. */
  function scrollTo(row: number) {
    if (!scroller) return
    const height = ROW_REM * remPx()
    const room = scroller.clientHeight - HEAD_REM * remPx()
    const { scrollTop } = scroller
    if (row * height < scrollTop) scroller.scrollTop = row * height
    else if ((row + 1) * height > scrollTop + room) scroller.scrollTop = (row + 1) * height - room
  }

  function goTo(row: number) {
    isMoving.current = true
    scrollTo(row)
  }

  /** Items of an action on a row: the selection if it includes the row, otherwise the row. */
  const itemsAt = (item: Item) => (selection.items.has(item.id) ? [...selection.items.values()] : [item])

  async function onKeyDown(event: KeyboardEvent) {
    const { key, shiftKey, target } = event
    const isCommand = event.ctrlKey || event.metaKey
    const on = target as HTMLElement
    const item = contents.itemAt(active)
    if (isCommand && key === 'a') {
      event.preventDefault()
      const all = await contents.itemsIn({ first: 0, last: rows - 1 })
      return onSelect((now) => select.chooseAll(now, all))
    }
    if (isCommand || event.altKey) return
    const page = Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / (ROW_REM * remPx())) - 2)
    const next = rowAfterKey(key, active, rows, page)
    if (next !== undefined) {
      event.preventDefault()
      goTo(next)
      if (shiftKey) return extendTo(next)
      return onSelect((now) => select.goTo(now, next))
    }
    if (!item || !on.closest('[aria-rowindex]:not([aria-rowindex="1"])')) return
    // Buttons and checkboxes handle these keys themselves, and links open by themselves.
    if (key === ' ' && !on.closest('button, input')) {
      event.preventDefault()
      if (shiftKey) return extendTo(active)
      return onSelect((now) => select.toggle(now, item, active))
    }
    if (key === 'Enter' && !on.closest('button, input')) {
      openedByKey = item.id
      return on.closest('a') ? undefined : open(item)
    }
    const action = { F2: 'rename', m: 'move', Delete: 'delete', Backspace: isMac ? 'delete' : undefined }[key] as
      | ActionId
      | undefined
    const items = itemsAt(item)
    if (action && actionsFor(items, within).some(({ id }) => id === action)) {
      event.preventDefault()
      onAct(action, items)
    }
  }

  function onRowClick(event: MouseEvent, item: Item, row: number) {
    // A key on a link arrives as a click, too.
    if (event.detail > 0) openedByKey = null
    if ((event.target as Element).closest('a, button, input')) return
    if (event.shiftKey) return unawaited(extendTo(row))
    if (event.ctrlKey || event.metaKey) return onSelect((now) => select.toggle(now, item, row))
    onSelect(select.choose(item, row))
  }

  /** The selection stays as it is: a row whose menu was looked at must not go along with what is chosen next. */
  const openMenu = (item: Item, at: DOMRect) => setMenu({ items: itemsAt(item), at })

  const handlers = useRef<RowHandlers>(null!)
  handlers.current = {
    onFocus: (row) => row !== active && onSelect((now) => ({ ...now, active: row })),
    onClick: onRowClick,
    onOpen: open,
    onToggle: (item, row, isRange) =>
      isRange ? unawaited(extendTo(row)) : onSelect((now) => select.toggle(now, item, row)),
    onMenu: (item, _row, at) => openMenu(item, at),
    onDragStart(event, item, row) {
      const items = itemsAt(item)
      if (!selection.items.has(item.id)) onSelect(select.choose(item, row))
      startDrag(event, items)
    },
    onDragEnd: endDrag,
  }

  /** The root has folders only, by name. */
  const hasFiles = within !== null || isSearch
  const isAll = rows > 0 && selection.items.size >= rows
  return (
    <>
      <div
        role="grid"
        aria-label={t`Folders and files`}
        aria-multiselectable
        aria-rowcount={rows + 1}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className={cx('min-w-0 outline-none transition-opacity', contents.isOld && 'opacity-60')}
      >
        <div
          role="row"
          aria-rowindex={1}
          tabIndex={-1}
          className={cx(gridClass, 'sticky top-0 z-2 h-10 border-b border-line bg-paper text-sm text-muted')}
        >
          <div role="columnheader" className="flex justify-center">
            <Checkbox
              aria-label={isAll ? t`Clear the selection` : t`Choose all`}
              checked={isAll}
              isMixed={selection.items.size > 0 && !isAll}
              onChange={async () => {
                if (isAll) return onSelect(select.chooseNone)
                const all = await contents.itemsIn({ first: 0, last: rows - 1 })
                onSelect((now) => select.chooseAll(now, all))
              }}
            />
          </div>
          <ColumnHeader by="title" order={order} isFixed={within === null} />
          <div role="columnheader" className="max-md:hidden">
            {hasFiles ? (
              t`Status`
            ) : (
              <span className="sr-only">
                <Trans>Status</Trans>
              </span>
            )}
          </div>
          {hasFiles ? (
            <ColumnHeader by="size_bytes" order={order} isFixed={within === null} className="max-lg:hidden" />
          ) : (
            <div role="columnheader" className="max-lg:hidden">
              <span className="sr-only">
                <Trans>Size</Trans>
              </span>
            </div>
          )}
          <ColumnHeader by="created_at" order={order} isFixed={within === null} className="max-md:hidden" />
          <div role="columnheader">
            <ActionsHeader />
          </div>
        </div>
        <div
          ref={body}
          role="rowgroup"
          onFocus={() => {
            isWithin.current = true
          }}
          // No blur event arrives when the focused element was removed.
          onBlur={() => {
            isWithin.current = false
          }}
          className="relative"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index, start, size }) => {
            const item = contents.itemAt(index)
            return (
              <ItemRow
                key={item?.id ?? `row ${index}`}
                item={item}
                row={index}
                top={start}
                height={size}
                within={within}
                isSearch={isSearch}
                isActive={index === active}
                isSelected={item !== undefined && selection.items.has(item.id)}
                handlers={handlers}
              />
            )
          })}
        </div>
      </div>
      {menu && (
        <MenuAt
          label={t`Actions for ${menu.items.length === 1 ? menu.items[0]!.name : t`${menu.items.length} items`}`}
          at={menu.at}
          onClose={() => setMenu(null)}
          className="min-w-52"
        >
          {actionsFor(menu.items, within).map(({ id, label, icon, shortcut, isDangerous }) => (
            <MenuItem
              key={id}
              icon={icon}
              shortcut={shortcut}
              isDangerous={isDangerous}
              onSelect={() => onAct(id, menu.items)}
            >
              {label}
            </MenuItem>
          ))}
        </MenuAt>
      )}
    </>
  )
}

const rowAfterKey = select.rowAfter

interface ColumnHeaderProps {
  by: Order['by']
  order: Order
  /** Whether the order cannot be changed. */
  isFixed: boolean
  className?: string
}

function ColumnHeader({ by, order, isFixed, className }: ColumnHeaderProps) {
  const isThis = order.by === by && !isFixed
  const isUp = isAscending(order)
  const Arrow = isUp ? ArrowUp : ArrowDown
  return (
    <div role="columnheader" aria-sort={isThis ? (isUp ? 'ascending' : 'descending') : undefined} className={className}>
      {isFixed ? (
        ORDERS[by]
      ) : (
        <button
          type="button"
          onClick={() => orderBy(by)}
          className={cx(
            '-mx-1.5 flex items-center gap-1 rounded-control px-1.5 py-1 hover:text-ink',
            isThis && 'font-medium text-ink',
          )}
        >
          {ORDERS[by]}
          {isThis && <Arrow size={13} aria-hidden />}
        </button>
      )}
    </div>
  )
}
