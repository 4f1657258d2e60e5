import type { KnowledgeBase } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { formatNumber } from '../../platform/format.ts'
import { useDebounced } from '../../platform/state/use-debounced.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FileText, Folder, FolderPlus, Search, Upload } from '../../ui/icons.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ProgressBar } from '../../ui/notices/progress-bar.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { useFolders } from '../drive.queries.ts'
import { useFollowed } from '../files/follow-folder.ts'
import { type ActionId, isPlain, runAction } from '../items/actions.ts'
import { type RowRange, useContents } from '../items/contents.ts'
import { type Asked, ItemDialogs } from '../items/item-dialogs.tsx'
import { ItemTable } from '../items/item-table.tsx'
import type { Item } from '../items/items.ts'
import { isAscending, useOrder } from '../items/order.ts'
import { chooseNone, NOTHING } from '../items/selection.ts'
import { SelectionBar } from '../items/selection-bar.tsx'
import { deleteItems } from '../moves/deletions.ts'
import { FoundPassages } from '../search/found-passages.tsx'
import { TagFilter } from './tag-filter.tsx'

interface FolderContentProps {
  folder: KnowledgeBase | null
  search: string
  /** Absent where folders cannot be created. */
  onNewFolder?: () => void
  /** Whether nothing can be added. */
  isClosed: boolean
}

const TYPING_MS = 120

/** Scroll positions of folder lists. */
const scrolled = new Map<string, number>()

/** Content of a folder, or results of a search below it, with the selection. */
export function FolderContent({ folder, search: typed, onNewFolder, isClosed }: FolderContentProps) {
  const search = useDebounced(typed, TYPING_MS)
  const order = useOrder()
  const [tag, setTag] = useState<string | null>(null)
  const [visible, setVisible] = useState<RowRange>({ first: 0, last: 40 })
  // A search looks at all names, whatever tag was chosen before.
  const contents = useContents({ folder, search, order, tag: search ? null : tag, visible })
  useFollowed(folder?._id ?? null, contents.isLive)
  const [selection, setSelection] = useState(NOTHING)
  const [asked, setAsked] = useState<Asked | null>(null)
  // State, not a ref: the rows below must learn when it exists.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const { data: folders = [] } = useFolders(folder?._id ?? null)

  const shown = `${search} ${tag} ${order.by} ${isAscending(order)}`
  const shownBefore = useRef(shown)
  useEffect(() => {
    if (shown === shownBefore.current) return
    shownBefore.current = shown
    // A different listing clears the selection.
    setSelection(NOTHING)
    scroller?.scrollTo(0, 0)
  }, [shown, scroller])

  // Coming back from a file restores the scroll position.
  const listId = folder?._id ?? ''
  const isThere = contents.rows > 0
  useEffect(() => {
    const before = scrolled.get(listId)
    if (scroller && isThere && before) scroller.scrollTop = before
  }, [scroller, isThere, listId])

  const onRange = useCallback(
    (range: RowRange) => setVisible((now) => (now.first === range.first && now.last === range.last ? now : range)),
    [],
  )
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const isInOtherControl = (event.target as HTMLElement).closest('input:not([type=checkbox]), dialog, [popover]')
      if (event.key === 'Escape' && !event.defaultPrevented && !isInOtherControl) setSelection(chooseNone)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  const chosen = useMemo(() => [...selection.items.values()], [selection.items])

  function act(id: ActionId, items: Item[]) {
    if (isPlain(id)) return runAction(id, items)
    if (id !== 'delete') return setAsked({ id, items })
    if (items.some(({ kind }) => kind === 'folder')) return setAsked({ id, items })
    deleteItems(items)
    setSelection(chooseNone)
  }

  const { error, retry, rows, counts, isLoading, isLive } = contents
  if (error)
    return (
      <div className="p-4 sm:p-6">
        <ReadProblem error={error} onRetry={retry} />
      </div>
    )
  const isEmpty = rows === 0 && !isLoading && !contents.isOld
  return (
    <>
      {!(isEmpty && !search && !tag) && (
        <div className="flex min-h-12 shrink-0 items-center gap-3 border-b border-line px-4 sm:px-6">
          {chosen.length > 0 ? (
            <SelectionBar items={chosen} within={folder} onAct={act} onClear={() => setSelection(chooseNone)} />
          ) : (
            <>
              <Summary {...{ search, rows, counts, isLoading, isLive, folderCount: folders.length }} />
              {!search && <TagFilter folders={folders} chosen={tag} onChoose={setTag} />}
            </>
          )}
        </div>
      )}
      <div
        ref={setScroller}
        onScroll={(event) => scrolled.set(listId, event.currentTarget.scrollTop)}
        className="min-h-0 flex-1 overflow-y-auto scroll-quiet"
        role="presentation"
        onPointerDown={(event) => event.target === event.currentTarget && setSelection(chooseNone)}
      >
        {isEmpty ? (
          !search && <Nothing {...{ folder, tag, onNewFolder, isClosed }} />
        ) : (
          <ItemTable
            contents={contents}
            within={folder}
            order={order}
            isSearch={search !== ''}
            selection={selection}
            onSelect={setSelection}
            onAct={act}
            onRange={onRange}
            scroller={scroller}
          />
        )}
        {search && !isLoading && <FoundPassages folder={folder} search={search} isAlone={isEmpty} />}
      </div>
      {asked && <ItemDialogs asked={asked} onClose={() => setAsked(null)} onGone={() => setSelection(chooseNone)} />}
    </>
  )
}

interface SummaryProps {
  search: string
  rows: number
  counts: { total: number; successful: number } | undefined
  isLoading: boolean
  isLive: boolean
  folderCount: number
}

/** Count of files, and of those that agents can find. */
function Summary({ search, rows, counts, isLoading, isLive, folderCount }: SummaryProps) {
  const text = search
    ? t`${plural(rows, { one: '# name', other: '# names' })} with “${search}”`
    : [
        folderCount > 0 && plural(folderCount, { one: '# folder', other: '# folders' }),
        counts && counts.total > 0 && plural(counts.total, { one: '# file', other: '# files' }),
        counts && counts.successful < counts.total && t`${formatNumber(counts.successful)} ready`,
      ]
        .filter(Boolean)
        .join(' · ')
  return (
    <div className="flex min-w-0 flex-1 items-center gap-3">
      <h2 className="truncate text-sm font-medium text-muted" aria-live="polite">
        {isLoading ? t`Loading` : text}
      </h2>
      {isLive && counts && (
        <ProgressBar
          label={t`Files that are ready`}
          value={counts.successful / counts.total}
          className="w-24 max-sm:hidden"
        />
      )}
    </div>
  )
}

interface NothingProps extends Omit<FolderContentProps, 'search'> {
  tag: string | null
}

/** Placeholder for an empty folder. */
function Nothing({ folder, tag, onNewFolder, isClosed }: NothingProps) {
  if (tag)
    return (
      <EmptyState icon={Search} title={t`Nothing with that tag`}>
        {t`No folder here has the tag “${tag}”.`}
      </EmptyState>
    )
  if (!folder)
    return (
      <EmptyState
        icon={Folder}
        title={t`Put your documents here`}
        action={
          onNewFolder && (
            <Button variant="primary" icon={FolderPlus} onClick={onNewFolder}>
              <Trans>New folder</Trans>
            </Button>
          )
        }
      >
        <Trans>Make a folder and add files to it, or drag whole folders onto this page. Agents answer from them.</Trans>
      </EmptyState>
    )
  if (isClosed) return <EmptyState icon={FileText} title={t`Nothing in here`} />
  return (
    <EmptyState
      icon={FileText}
      title={t`Nothing here yet`}
      action={
        <Button
          variant="primary"
          icon={Upload}
          onClick={() => document.querySelector<HTMLElement>('[data-add=files]')?.click()}
        >
          <Trans>Add files</Trans>
        </Button>
      }
    >
      <Trans>
        Drag files or whole folders here: PDF, Word, PowerPoint, Excel, web pages, Markdown, e‑mails, images of text,
        code.
      </Trans>
    </EmptyState>
  )
}
