import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useMay } from '../../access/access.ts'
import { isTaken } from '../../platform/command-key.ts'
import { explain } from '../../platform/errors.ts'
import { cx } from '../../ui/class-names.ts'
import { Button, buttonClass, IconButton } from '../../ui/controls/button.tsx'
import { SearchBox } from '../../ui/controls/search-box.tsx'
import { Ellipsis, FileQuestion, Lock, TextSearch } from '../../ui/icons.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Banner } from '../../ui/notices/banner.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { NameDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { createFolder, useFolder, useFolderPath } from '../drive.queries.ts'
import { runAction, useActions } from '../items/actions.ts'
import { type Asked, ItemDialogs } from '../items/item-dialogs.tsx'
import { folderItem } from '../items/items.ts'
import { ONLY_READ, useReadOnlyReason } from '../rights.ts'
import { TestSearch } from '../search/test-search.tsx'
import { AddMenu } from '../uploads/add-menu.tsx'
import { DropZone } from '../uploads/drop-zone.tsx'
import { AskButton } from './ask-button.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import { FolderContent } from './folder-content.tsx'
import { ReadOnlyBanner } from './linked-banner.tsx'

/** Page of one folder or the root: its content and actions. */
export function FolderView() {
  const { folderId = null } = useParams({ strict: false })
  const { data: folder, error } = useFolder(folderId)
  if (error)
    return (
      <EmptyState
        icon={FileQuestion}
        title={t`This folder is not here`}
        action={
          <Link to="/drive" className={buttonClass('primary')}>
            <Trans>To the drive</Trans>
          </Link>
        }
      >
        <Trans>{explain(error)} It may have been deleted.</Trans>
      </EmptyState>
    )
  if (folderId !== null && !folder) return null
  return <OpenFolder key={folderId} folder={folder ?? null} />
}

function OpenFolder({ folder }: { folder: KnowledgeBase | null }) {
  const { data: path } = useFolderPath(folder?._id ?? null)
  const { q = '', test } = useSearch({ strict: false }) as { q?: string; test?: string }
  const navigate = useNavigate()
  const readOnlyReason = useReadOnlyReason(folder)
  const mayCreate = useMay('create_knowledgebase')
  const mayAsk = useMay('manage_agents')
  const [isNaming, setNaming] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const isTesting = folder !== null && test !== undefined
  const isClosed = folder !== null && readOnlyReason(folder) !== undefined
  const onNewFolder = mayCreate && !isClosed ? () => setNaming(true) : undefined
  const actions = useActions(folder ? [folderItem(folder)] : [], null)
  const above = path?.at(-2) ?? null

  /** The search is part of the URL, so that the back button returns to it. */
  const go = (search: { q?: string; test?: string }, isReplacing = false) =>
    unawaited(
      navigate({
        ...(folder ? { to: '/drive/$folderId', params: { folderId: folder._id } } : { to: '/drive' }),
        search,
        replace: isReplacing,
      }),
    )
  useShortcuts({ onNewFolder, hasFiles: folder !== null && !isClosed })

  return (
    <DropZone folder={folder} isClosed={folder ? isClosed : !mayCreate}>
      <PageHeader
        title={folder?.name ?? t`Drive`}
        actions={
          <div className="flex min-w-0 flex-wrap items-center gap-2 max-sm:w-full">
            {!isTesting && (
              <SearchBox
                label={folder ? t`Find in this folder` : t`Find files and folders`}
                aria-keyshortcuts="/"
                data-find
                value={q}
                onChange={(text) => go({ q: text || undefined }, q !== '')}
                onKeyDown={(event) => {
                  if (event.key === 'Escape' && q) go({}, true)
                  if (event.key === 'ArrowDown')
                    document.querySelector<HTMLElement>('[role=row][tabindex="0"]')?.focus()
                }}
                className={cx('min-w-20 flex-1 sm:w-64 sm:min-w-32', folder && 'max-sm:basis-full')}
              />
            )}
            {folder && mayAsk && <AskButton folder={folder} />}
            {folder && (
              <Button
                icon={TextSearch}
                aria-pressed={isTesting}
                title={t`See what an agent would find in this folder`}
                onClick={() => go(isTesting ? {} : { test: '' })}
                className="aria-pressed:border-accent aria-pressed:text-accent"
              >
                <span className="max-lg:sr-only">
                  <Trans>Test search</Trans>
                </span>
              </Button>
            )}
            {!isClosed && <AddMenu folder={folder} onNewFolder={onNewFolder} />}
            {folder && (
              <Menu
                label={t`Actions for ${folder.name}`}
                className="min-w-52"
                trigger={(props) => <IconButton {...props} label={t`Actions for ${folder.name}`} icon={Ellipsis} />}
              >
                {actions([folderItem(folder)], above).map(({ id, label, icon, isDangerous }) => (
                  <MenuItem
                    key={id}
                    icon={icon}
                    isDangerous={isDangerous}
                    onSelect={() =>
                      id === 'download'
                        ? runAction(id, [folderItem(folder)])
                        : setAsked({ id, items: [folderItem(folder)] })
                    }
                  >
                    {label}
                  </MenuItem>
                ))}
              </Menu>
            )}
          </div>
        }
      >
        {folder ? <Breadcrumb path={path ?? [folder]} /> : undefined}
      </PageHeader>
      {folder && <ReadOnlyBanner folder={folder} />}
      {folder && readOnlyReason(folder) === ONLY_READ && (
        <Banner icon={Lock}>
          <Trans>You may read this folder, not change it. Who manages it can give you more.</Trans>
        </Banner>
      )}
      {isTesting ? (
        <TestSearch folder={folder} question={test} onAsk={(question) => go({ test: question })} />
      ) : (
        <FolderContent folder={folder} search={q.trim()} onNewFolder={onNewFolder} isClosed={isClosed} />
      )}
      {isNaming && (
        <NameDialog
          title={folder ? t`New folder in “${folder.name}”` : t`New folder`}
          label={t`Name`}
          confirm={t`Create`}
          act={(name) => createFolder(name, folder?._id ?? null)}
          onClose={() => setNaming(false)}
        />
      )}
      {asked && (
        <ItemDialogs
          asked={asked}
          onClose={() => setAsked(null)}
          onGone={() => {
            if (asked.id !== 'delete') return
            unawaited(
              navigate(
                folder?.parent_kb_id
                  ? { to: '/drive/$folderId', params: { folderId: folder.parent_kb_id } }
                  : { to: '/drive' },
              ),
            )
          }}
        />
      )}
    </DropZone>
  )
}

/** Keyboard shortcuts while nobody types: `/` searches, N creates a folder, U adds files. */
function useShortcuts({ onNewFolder, hasFiles }: { onNewFolder?: () => void; hasFiles: boolean }) {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (isTaken(event)) return
      if (event.key === '/') document.querySelector<HTMLElement>('[data-find]')?.focus()
      else if (event.key === 'n' && onNewFolder) onNewFolder()
      else if (event.key === 'u' && hasFiles) document.querySelector<HTMLElement>('[data-add=files]')?.click()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [onNewFolder, hasFiles])
}
