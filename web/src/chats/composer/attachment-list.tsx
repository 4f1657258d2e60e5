import { t } from '@lingui/core/macro'
import { formatBytes } from '../../platform/format.ts'
import { cx } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { CircleAlert, Paperclip, RefreshCw, X } from '../../ui/icons.ts'
import { ProgressBar } from '../../ui/notices/progress-bar.tsx'
import type { Attachment } from './attachments.ts'

interface AttachmentListProps {
  attachments: Attachment[]
  onRetry: (attachment: Attachment) => void
  onRemove: (key: string) => void
}

/** Files attached to the next question. */
export const AttachmentList = ({ attachments, onRetry, onRemove }: AttachmentListProps) => (
  <ul
    aria-label={t`Files for this question`}
    className="flex max-h-[min(16rem,30dvh)] flex-wrap gap-2 overflow-y-auto scroll-quiet pe-2 pb-1"
  >
    {attachments.map((attachment) => {
      const { key, name, sizeBytes, file, state, progress, reason } = attachment
      const Icon = state === 'failed' ? CircleAlert : Paperclip
      return (
        <li
          key={key}
          className={cx(
            'max-w-full min-w-0 rounded-control border py-0.5 pe-0.5 ps-2.5 text-sm',
            state === 'failed' ? 'border-bad/60' : 'border-line',
          )}
        >
          <div className="flex min-w-0 items-center gap-2">
            <Icon size={14} className={cx('shrink-0', state === 'failed' ? 'text-bad' : 'text-muted')} aria-hidden />
            <span className="min-w-0 max-w-52 truncate">{name}</span>
            <span className="shrink-0 text-muted tabular-nums">{formatBytes(sizeBytes)}</span>
            {state === 'failed' && file && file.size > 0 && (
              <IconButton label={t`Send ${name} again`} icon={RefreshCw} onClick={() => onRetry(attachment)} />
            )}
            <IconButton label={t`Remove ${name}`} icon={X} onClick={() => onRemove(key)} className="-ms-1" />
          </div>
          {state === 'sending' && <ProgressBar label={t`Sending ${name}`} value={progress} className="mb-1.5" />}
          {reason && (
            <p role="alert" className="max-w-72 pe-2 pb-1 text-bad">
              {reason}
            </p>
          )}
        </li>
      )
    })}
  </ul>
)
