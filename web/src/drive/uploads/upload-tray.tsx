import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { formatBytes } from '../../platform/format.ts'
import { cx } from '../../ui/class-names.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { ChevronDown, CircleAlert, CircleCheck, LoaderCircle, RefreshCw, X } from '../../ui/icons.ts'
import { ProgressBar } from '../../ui/notices/progress-bar.tsx'
import { showOverlay } from '../../ui/overlays/overlay.tsx'
import { FileIcon } from '../items/file-icon.tsx'
import { useMadeFolder } from './made-folder.ts'
import { dropUploads, isOpen, onUploads, retryUploads, type Upload, useIsAdding, useUploads } from './uploads.ts'

const MOST_ROWS = 60
const DONE_SHOWN_MS = 5_000
/** Time for which the tray leads to a folder that was made for loose files. */
const MADE_SHOWN_MS = 20_000

/** Shows the upload tray over all pages, from the first upload on. */
export const showUploads = (): void => onUploads(showTray)

const showTray = () => showOverlay(<UploadTray />)

/** Tray with the progress of uploads: all together, and each. */
export function UploadTray() {
  const uploads = useUploads()
  const [isFolded, setFolded] = useState(false)
  const isAdding = useIsAdding()
  const made = useMadeFolder(uploads)
  const shownMs = made ? MADE_SHOWN_MS : DONE_SHOWN_MS
  const isAllDone = !isAdding && uploads.length > 0 && uploads.every(({ state }) => state === 'done')
  useEffect(() => {
    if (!isAllDone) return
    // Finished uploads disappear and make room.
    const timer = setTimeout(() => dropUploads(uploads.map(({ id }) => id)), shownMs)
    return () => clearTimeout(timer)
  }, [isAllDone, uploads, shownMs])
  if (uploads.length === 0) return null
  const failed = uploads.filter(({ state }) => state === 'failed')
  const sendable = uploads.filter(mayBeSentAgain)
  const open = uploads.filter(isOpen)
  const sent = uploads.filter(({ state }) => state === 'sent')
  const done = uploads.filter(({ state }) => state === 'done')
  const unread = uploads.filter(({ state }) => state === 'unread')
  const counts = {
    open: open.length,
    sent: sent.length,
    done: done.length,
    failed: failed.length,
    unread: unread.length,
  }
  const share = uploads.reduce((sum, { progress }) => sum + progress, 0) / uploads.length
  // Failed uploads first, then running ones, then waiting ones.
  const rows = [
    ...failed,
    ...unread,
    ...open.filter(({ state }) => state === 'sending'),
    ...open.filter(({ state }) => state === 'waiting'),
    ...sent.toReversed(),
    ...done.toReversed(),
  ]

  return (
    <section
      aria-label={t`Uploads`}
      className="fixed right-3 bottom-3 left-3 z-30 flex max-h-[min(26rem,60dvh)] animate-rise flex-col overflow-hidden rounded-card border border-line bg-raised shadow-raised sm:left-auto sm:w-96"
    >
      <header className="flex items-center gap-1 py-2 pe-2 ps-4">
        <TraySign {...counts} />
        <h2 className="ms-1.5 min-w-0 flex-1 font-medium text-pretty" aria-live="polite">
          {trayTitle(counts)}
        </h2>
        {sendable.length > 1 && (
          <Button variant="quiet" icon={RefreshCw} onClick={() => retryUploads(sendable.map(({ id }) => id))}>
            <Trans>Try all again</Trans>
          </Button>
        )}
        <IconButton
          label={isFolded ? t`Show the files` : t`Hide the files`}
          aria-expanded={!isFolded}
          icon={ChevronDown}
          className={cx(isFolded && '[&>svg]:rotate-180')}
          onClick={() => setFolded(!isFolded)}
        />
        <IconButton
          label={open.length > 0 ? t`Stop all uploads` : t`Close`}
          icon={X}
          onClick={() => dropUploads(uploads.map(({ id }) => id))}
        />
      </header>
      {open.length > 0 && <ProgressBar label={t`All uploads`} value={share} className="h-0.75 w-full rounded-none" />}
      {made && (
        <Link
          to="/drive/$folderId"
          params={{ folderId: made.id }}
          className="border-t border-line px-4 py-2.5 text-sm text-accent underline underline-offset-2 wrap-anywhere"
        >
          {intoFolder(made)}
        </Link>
      )}
      {!isFolded && (
        <ul
          aria-label={t`Files on their way`}
          className="min-h-0 divide-y divide-line overflow-y-auto scroll-quiet border-t border-line"
        >
          {rows.slice(0, MOST_ROWS).map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
          {rows.length > MOST_ROWS && (
            <li className="px-4 py-2.5 text-sm text-muted">
              <Trans>and {plural(rows.length - MOST_ROWS, { one: '# file', other: '# files' })} more</Trans>
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

const intoFolder = ({ name }: { name: string }) => t`Files live in folders: these are in the new folder “${name}”.`

type Counts = Record<'open' | 'sent' | 'done' | 'failed' | 'unread', number>

/** How many files are on their way, ready and failed. */
function trayTitle({ open, sent, done, failed, unread }: Counts): string {
  const all = open + sent + done + failed + unread
  if (all === open) return t`Uploading ${plural(open, { one: '# file', other: '# files' })}`
  if (all === sent) return t`Reading ${plural(sent, { one: '# file', other: '# files' })}`
  if (all === done) return t`${plural(done, { one: '# file', other: '# files' })} ready`
  if (all === failed) return t`${plural(failed, { one: '# file', other: '# files' })} could not be uploaded`
  if (all === unread) return t`${plural(unread, { one: '# file', other: '# files' })} could not be read`
  const parts = [
    failed + unread > 0 && t`${failed + unread} failed`,
    open > 0 && t`${open} uploading`,
    sent > 0 && t`${sent} being read`,
    done > 0 && t`${done} ready`,
  ].filter(Boolean)
  return t`${plural(all, { one: '# file', other: '# files' })}: ${parts.join(' · ')}`
}

/** Sign of all uploads together: a tick only if each went well. */
function TraySign({ open, sent, failed, unread }: Counts) {
  if (failed + unread > 0) return <CircleAlert size={17} className="shrink-0 text-bad" aria-hidden />
  if (open + sent > 0) return <LoaderCircle size={17} className="shrink-0 animate-spin text-muted" aria-hidden />
  return <CircleCheck size={17} className="shrink-0 text-good" aria-hidden />
}

/** Whether an upload may go well the next time; an empty file is refused each time. */
const mayBeSentAgain = ({ state, file }: Pick<Upload, 'state' | 'file'>): boolean => state === 'failed' && file.size > 0

function UploadRow({ upload: { id, folderId, file, fileId, state, progress, reason } }: { upload: Upload }) {
  return (
    <li className="flex items-center gap-3 py-2 pe-2 ps-4">
      <FileIcon name={file.name} />
      <div className="min-w-0 flex-1">
        <p className="truncate" title={file.name}>
          {fileId ? (
            <Link to="/drive/$folderId/$fileId" params={{ folderId, fileId }} className="hover:underline">
              {file.name}
            </Link>
          ) : (
            file.name
          )}
        </p>
        {state === 'sending' && (
          <ProgressBar label={t`Upload of ${file.name}`} value={progress} className="mt-1 w-full" />
        )}
        {(state === 'failed' || state === 'unread') && (
          <p role="alert" className="text-sm text-bad">
            {reason}
          </p>
        )}
      </div>
      <span className="shrink-0 text-sm text-muted tabular-nums">
        {state === 'waiting' && t`Waiting`}
        {state === 'sending' && t`${Math.round(progress * 100)} % of ${formatBytes(file.size)}`}
        {state === 'sent' && t`Reading`}
      </span>
      {state === 'done' && <CircleCheck size={17} className="me-2 shrink-0 text-good" aria-label={t`Ready`} />}
      {(state === 'failed' || state === 'unread') && (
        <CircleAlert size={17} className="shrink-0 text-bad" aria-hidden />
      )}
      {mayBeSentAgain({ state, file }) && (
        <IconButton label={t`Try ${file.name} again`} icon={RefreshCw} onClick={() => retryUploads([id])} />
      )}
      {state !== 'done' && state !== 'sent' && (
        <IconButton
          label={state === 'failed' || state === 'unread' ? t`Forget ${file.name}` : t`Stop ${file.name}`}
          icon={X}
          onClick={() => dropUploads([id])}
        />
      )}
    </li>
  )
}
