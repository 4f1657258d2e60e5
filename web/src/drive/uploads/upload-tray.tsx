import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { count, formatBytes } from '../../platform/format.ts'
import { cx } from '../../ui/class-names.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { ChevronDown, CircleAlert, CircleCheck, RefreshCw, X } from '../../ui/icons.ts'
import { ProgressBar } from '../../ui/notices/progress-bar.tsx'
import { showOverlay } from '../../ui/overlays/overlay.tsx'
import { FileIcon } from '../items/file-icon.tsx'
import { dropUploads, isOpen, onUploads, retryUploads, type Upload, useIsAdding, useUploads } from './uploads.ts'

const MOST_ROWS = 60
const DONE_SHOWN_MS = 5_000

/** Shows the upload tray over all pages, from the first upload on. */
export function showUploads(): void {
  onUploads(() => showOverlay(<UploadTray />))
}

/** Tray with the progress of uploads: all together, and each. */
export function UploadTray() {
  const uploads = useUploads()
  const [isFolded, setFolded] = useState(false)
  const isAdding = useIsAdding()
  const isAllDone = !isAdding && uploads.length > 0 && uploads.every(({ state }) => state === 'done')
  useEffect(() => {
    if (!isAllDone) return
    // Finished uploads disappear and make room.
    const timer = setTimeout(() => dropUploads(uploads.map(({ id }) => id)), DONE_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isAllDone, uploads])
  if (uploads.length === 0) return null
  const failed = uploads.filter(({ state }) => state === 'failed')
  const open = uploads.filter(isOpen)
  const sent = uploads.filter(({ state }) => state === 'sent')
  const done = uploads.filter(({ state }) => state === 'done')
  const unread = uploads.filter(({ state }) => state === 'unread')
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
      aria-label="Uploads"
      className="fixed right-3 bottom-3 left-3 z-30 flex max-h-[min(26rem,60dvh)] animate-rise flex-col overflow-hidden rounded-card border border-line bg-raised shadow-raised sm:left-auto sm:w-96"
    >
      <header className="flex items-center gap-1 py-2 pe-2 ps-4">
        <h2 className="min-w-0 flex-1 truncate font-medium" aria-live="polite">
          {trayTitle({
            open: open.length,
            sent: sent.length,
            done: done.length,
            failed: failed.length,
            unread: unread.length,
          })}
        </h2>
        {failed.length > 1 && (
          <Button variant="quiet" icon={RefreshCw} onClick={() => retryUploads(failed.map(({ id }) => id))}>
            Try all again
          </Button>
        )}
        <IconButton
          label={isFolded ? 'Show the files' : 'Hide the files'}
          aria-expanded={!isFolded}
          icon={ChevronDown}
          className={cx(isFolded && '[&>svg]:rotate-180')}
          onClick={() => setFolded(!isFolded)}
        />
        <IconButton
          label={open.length > 0 ? 'Stop all uploads' : 'Close'}
          icon={X}
          onClick={() => dropUploads(uploads.map(({ id }) => id))}
        />
      </header>
      {open.length > 0 && <ProgressBar label="All uploads" value={share} className="h-0.75 w-full rounded-none" />}
      {!isFolded && (
        <ul
          aria-label="Files on their way"
          className="min-h-0 divide-y divide-line overflow-y-auto scroll-quiet border-t border-line"
        >
          {rows.slice(0, MOST_ROWS).map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
          {rows.length > MOST_ROWS && (
            <li className="px-4 py-2.5 text-sm text-muted">and {count(rows.length - MOST_ROWS, 'file')} more</li>
          )}
        </ul>
      )}
    </section>
  )
}

type Counts = Record<'open' | 'sent' | 'done' | 'failed' | 'unread', number>

function trayTitle({ open, sent, done, failed, unread }: Counts): string {
  if (open > 0) return `Uploading ${count(open, 'file')}${sent + done > 0 ? `, ${sent + done} done` : ''}`
  if (failed > 0) return `${count(failed, 'file')} could not be uploaded`
  if (sent > 0) return `Reading ${count(sent, 'file')}`
  if (unread > 0) return `${count(unread, 'file')} could not be read`
  return `${count(done, 'file')} ready`
}

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
          <ProgressBar label={`Upload of ${file.name}`} value={progress} className="mt-1 w-full" />
        )}
        {(state === 'failed' || state === 'unread') && (
          <p role="alert" className="text-sm text-bad">
            {reason}
          </p>
        )}
      </div>
      <span className="shrink-0 text-sm text-muted tabular-nums">
        {state === 'waiting' && 'Waiting'}
        {state === 'sending' && `${Math.round(progress * 100)} % of ${formatBytes(file.size)}`}
        {state === 'sent' && 'Reading'}
      </span>
      {state === 'done' && <CircleCheck size={17} className="me-2 shrink-0 text-good" aria-label="Ready" />}
      {(state === 'failed' || state === 'unread') && (
        <CircleAlert size={17} className="shrink-0 text-bad" aria-hidden />
      )}
      {state === 'failed' && (
        <IconButton label={`Try ${file.name} again`} icon={RefreshCw} onClick={() => retryUploads([id])} />
      )}
      {state !== 'done' && state !== 'sent' && (
        <IconButton
          label={state === 'failed' || state === 'unread' ? `Forget ${file.name}` : `Stop ${file.name}`}
          icon={X}
          onClick={() => dropUploads([id])}
        />
      )}
    </li>
  )
}
