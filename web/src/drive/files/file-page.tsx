import type { DataSource } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { useMe } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { formatBytes, formatNumber } from '../../platform/format.ts'
import { Button, buttonClass, IconButton } from '../../ui/controls/button.tsx'
import { tabClass } from '../../ui/controls/tabs.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Download, Ellipsis, FileQuestion, FileText, RefreshCw, Tags, X } from '../../ui/icons.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ProgressBar } from '../../ui/notices/progress-bar.tsx'
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { readPosition } from '../addresses.ts'
import { useFile, useFolderPath, useLocatedFile } from '../drive.queries.ts'
import { Breadcrumb } from '../folders/breadcrumb.tsx'
import { isEmpty, isPlain, runAction, useActions } from '../items/actions.ts'
import { failureInWords } from '../items/failure-words.ts'
import { describeProgress, FileStatusBadge } from '../items/file-status.tsx'
import { type Asked, ItemDialogs } from '../items/item-dialogs.tsx'
import { fileItem, isIndexing } from '../items/items.ts'
import { deleteItems } from '../moves/deletions.ts'
import { previewKind } from '../preview/kinds.ts'
import { Opening } from '../preview/opening.tsx'
import { CitedPassage } from '../preview/passages/cited-passage.tsx'
import { Passages } from '../preview/passages/passages.tsx'
import { Preview } from '../preview/preview.tsx'
import { useTarget } from '../preview/target.ts'
import { useMayWrite } from '../rights.ts'
import { download } from './downloads.ts'
import { useFollowed } from './follow-folder.ts'

/** Redirects from a file's id, as citations have it, to the file in its folder. */
export function LocateFile() {
  const { fileId = '' } = useParams({ strict: false })
  const search = useSearch({ strict: false })
  const { data, error } = useLocatedFile(fileId)
  const navigate = useNavigate()
  useEffect(() => {
    if (data)
      unawaited(
        navigate({
          to: '/drive/$folderId/$fileId',
          params: { folderId: data.knowledge_base_id, fileId },
          search: readPosition(search),
          replace: true,
        }),
      )
  }, [data, navigate, fileId, search])
  return error ? <Gone error={error} /> : <Opening />
}

const Gone = ({ error, folderId }: { error: unknown; folderId?: string }) => (
  <EmptyState
    icon={FileQuestion}
    title={t`This file is not here`}
    action={
      <Link
        {...(folderId ? { to: '/drive/$folderId', params: { folderId } } : { to: '/drive' })}
        className={buttonClass('primary')}
      >
        <Trans>To the folder</Trans>
      </Link>
    }
  >
    <Trans>
      {explain(error)} It may have been deleted or moved, or it was sent with a question and never was in a folder.
    </Trans>
  </EmptyState>
)

/** Page of a file: its content at the requested position, and its actions. */
export function FilePage() {
  const { folderId = '', fileId = '' } = useParams({ strict: false })
  const { data: file, error } = useFile(folderId, fileId)
  useFollowed(folderId || null, file !== undefined && isIndexing(file))
  if (error) return <Gone error={error} folderId={folderId} />
  return file ? <OpenFile key={fileId} file={file} /> : <Opening />
}

function OpenFile({ file }: { file: DataSource }) {
  const position = readPosition(useSearch({ strict: false }))
  const navigate = useNavigate()
  const { data: path } = useFolderPath(file.knowledge_base_id)
  const within = path?.at(-1) ?? null
  const item = fileItem(file)
  // The source of a linked folder does not hold passages: they may be changed there, too.
  const { data: me } = useMe()
  const isOwn = within !== null && within.organization_id === me?.organization.id
  const actions = useActions([item], within)([item], within)
  const mayWrite = useMayWrite()([item], within)
  const [asked, setAsked] = useState<Asked | null>(null)
  const kind = previewKind(file)
  const isRead = file.found_version !== null
  const failure = failureInWords(file)
  // Citations are of the version that is found.
  const isOlderFound = isRead && file.found_version !== file.version
  const [view, setView] = useState<'document' | 'text'>(kind && !isOlderFound ? 'document' : 'text')
  const { data: target = null } = useTarget(file, position)
  const [isMarked, setMarked] = useState<boolean | null>(null)
  const onMarked = useCallback((marked: boolean) => setMarked(marked), [])

  const close = useCallback(
    () => navigate({ to: '/drive/$folderId', params: { folderId: file.knowledge_base_id } }),
    [navigate, file.knowledge_base_id],
  )
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (
        event.key !== 'Escape' ||
        event.defaultPrevented ||
        document.querySelector('dialog[open], [popover]:popover-open')
      )
        return
      if (event.target instanceof HTMLInputElement) return
      unawaited(close())
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [close])

  return (
    <>
      <PageHeader
        title={file.title}
        actions={
          <>
            <Button icon={Download} title={t`Download`} onClick={() => download([item])}>
              <span className="max-lg:sr-only">
                <Trans>Download</Trans>
              </span>
            </Button>
            <Menu
              label={t`Actions for ${file.title}`}
              className="min-w-52"
              trigger={(props) => <IconButton {...props} label={t`Actions for ${file.title}`} icon={Ellipsis} />}
            >
              {actions.map(({ id, label, icon, isDangerous }) => (
                <MenuItem
                  key={id}
                  icon={icon}
                  isDangerous={isDangerous}
                  onSelect={() => {
                    if (isPlain(id)) runAction(id, [item])
                    else if (id === 'delete') {
                      deleteItems([item])
                      unawaited(close())
                    } else setAsked({ id, items: [item] })
                  }}
                >
                  {label}
                </MenuItem>
              ))}
            </Menu>
            <IconButton label={t`Close the file`} icon={X} onClick={close} />
          </>
        }
      >
        <Breadcrumb path={path ?? []} leaf={file.title} />
      </PageHeader>
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 border-b border-line px-4 text-sm text-muted sm:px-6">
        {kind && isRead && (
          <nav aria-label={t`View`} className="-ms-3 flex">
            <ViewButton isOn={view === 'document'} onClick={() => setView('document')}>
              {t`Document`}
            </ViewButton>
            <ViewButton isOn={view === 'text'} onClick={() => setView('text')}>
              {t`As Docent reads it`}
            </ViewButton>
          </nav>
        )}
        <p className="ms-auto flex min-h-11 items-center gap-2 whitespace-nowrap">
          {actions.some(({ id }) => id === 'metadata') && (
            <MetadataButton file={file} onOpen={() => setAsked({ id: 'metadata', items: [item] })} />
          )}
          <FileStatusBadge file={file} />
          <span className="flex gap-2 max-sm:hidden">
            <span aria-hidden>·</span>
            {formatBytes(file.size_bytes)}
            <span aria-hidden>·</span>
            <Time iso={file.created_at} />
          </span>
        </p>
      </div>
      {file.status === 'failed' && (
        <div className="px-4 pt-4 sm:px-6">
          <Notice
            action={
              !isEmpty(file) && (
                <Button icon={RefreshCw} onClick={() => runAction('index', [item])}>
                  <Trans>Try again</Trans>
                </Button>
              )
            }
          >
            <p className="font-medium">
              {isRead ? (
                <Trans>Docent could not read this. Answers still come from what it read before.</Trans>
              ) : (
                <Trans>Docent could not read this file, so no answer can be found in it.</Trans>
              )}
            </p>
            <p>{failure}</p>
            {failure !== file.status_reason && (
              <p lang="en" dir="auto" className="text-sm">
                {file.status_reason}
              </p>
            )}
          </Notice>
        </div>
      )}
      {target && <CitedPassage target={target} isMarked={view === 'text' ? target.ordinal !== null : isMarked} />}
      {kind && view === 'document' ? (
        <Preview kind={kind} file={file} position={position} target={target} onMarked={onMarked} />
      ) : isRead ? (
        <Passages file={file} target={target} isWritable={isOwn && mayWrite && isRead} />
      ) : (
        <NotReadYet
          file={file}
          onCancel={actions.some(({ id }) => id === 'cancel') && (() => runAction('cancel', [item]))}
        />
      )}
      {asked && (
        <ItemDialogs
          asked={asked}
          onClose={() => setAsked(null)}
          onGone={() => asked.id === 'move' && unawaited(close())}
        />
      )}
    </>
  )
}

/** Button that shows the metadata, with the number of its keys. */
function MetadataButton({ file, onOpen }: { file: DataSource; onOpen: () => void }) {
  const count = Object.keys(file.metadata).length
  return (
    <Button variant="quiet" icon={Tags} onClick={onOpen} className="text-sm text-muted">
      <Trans>Metadata</Trans>
      {count > 0 && <span className="tabular-nums">{formatNumber(count)}</span>}
    </Button>
  )
}

interface ViewButtonProps {
  isOn: boolean
  onClick: () => void
  children: string
}

const ViewButton = ({ isOn, onClick, children }: ViewButtonProps) => (
  <button type="button" aria-current={isOn ? 'page' : undefined} onClick={onClick} className={tabClass}>
    {children}
  </button>
)

/** Shown when a file has no preview, with the reason. */
function NotReadYet({ file, onCancel }: { file: DataSource; onCancel: false | (() => void) }) {
  const { name, share } = describeProgress(file)
  if (file.status === 'failed')
    return (
      <EmptyState icon={FileText} title={t`No preview`}>
        <Trans>A browser cannot show this kind of file. Download it to look at it.</Trans>
      </EmptyState>
    )
  return (
    <EmptyState
      icon={FileText}
      title={t`Docent is reading this file`}
      action={onCancel && <Button onClick={onCancel}>{t`Cancel reading`}</Button>}
    >
      <Trans>What it reads in it appears here in a moment; no need to reload.</Trans>
      {share !== null && (
        <span className="mt-4 block">
          <ProgressBar label={name} value={share} className="mx-auto w-56 max-w-full" />
        </span>
      )}
    </EmptyState>
  )
}
