import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { formatBytes, formatExactTime } from '../../platform/format.ts'
import { Facts } from '../../ui/data/facts.tsx'
import { HtmlFrame } from '../../ui/data/html-frame.tsx'
import { Paperclip } from '../../ui/icons.ts'
import { useContent } from './content.ts'
import { Opening, type PreviewProps } from './opening.tsx'
import { useMark } from './passages/use-mark.ts'
import { PreviewError, UnreadableError } from './preview-error.tsx'

/** E-mail as people read it: who wrote to whom, the text, and what was attached. */
export default function EmailPreview({ file, target, onMarked }: PreviewProps) {
  const { data: blob, error, refetch } = useContent(file)
  const { data: mail, error: problem } = useQuery({
    queryKey: ['e-mail', file.id, file.updated_at],
    enabled: blob !== undefined,
    gcTime: 10_000,
    queryFn: () => readMail(blob!),
  })
  const root = useRef<HTMLElement>(null)
  useMark(root, target, mail !== undefined, onMarked)
  if (error) return <PreviewError error={error} onRetry={refetch} />
  if (problem) return <PreviewError error={problem} />
  if (!mail) return <Opening />
  return (
    <section
      aria-label={t`E-mail`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys, too.
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto scroll-quiet outline-offset-[-2px]"
    >
      <article ref={root} className="mx-auto max-w-[46rem] space-y-5 px-5 py-8 sm:px-8">
        <h2 dir="auto" className="font-display text-2xl leading-tight wrap-anywhere">
          {mail.subject || t`No subject`}
        </h2>
        <Facts
          facts={[
            [t`From`, mail.from],
            [t`To`, mail.to],
            [t`Cc`, mail.cc],
            [t`Date`, mail.date],
          ]}
        />
        {mail.text || !mail.html ? (
          <div dir="auto" className="border-t border-line pt-5 leading-relaxed wrap-anywhere whitespace-pre-wrap">
            {mail.text || t`It has no text.`}
          </div>
        ) : (
          <HtmlFrame html={mail.html} title={t`Text of the e-mail`} className="h-[60dvh]" />
        )}
        {mail.attachments.length > 0 && (
          <ul aria-label={t`Attachments`} className="flex flex-wrap gap-2 border-t border-line pt-5">
            {mail.attachments.map(({ name, bytes }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two attachments may be named alike.
              <li key={index} className="flex items-center gap-2 rounded-control bg-canvas px-2.5 py-1 text-sm">
                <Paperclip size={14} className="shrink-0 text-muted" aria-hidden />
                <span className="wrap-anywhere">{name}</span>
                <span className="text-muted tabular-nums">{formatBytes(bytes)}</span>
              </li>
            ))}
          </ul>
        )}
      </article>
    </section>
  )
}

async function readMail(blob: Blob) {
  const { default: PostalMime } = await import('postal-mime')
  try {
    const { from, to, cc, subject, date, text, html, attachments } = await PostalMime.parse(await blob.arrayBuffer())
    return {
      from: from && named(from),
      to: to?.map(named).join(', '),
      cc: cc?.map(named).join(', '),
      subject,
      date: date && (Number.isNaN(Date.parse(date)) ? date : formatExactTime(date)),
      text: text?.trim(),
      html,
      attachments: attachments.map(({ filename, content }) => ({
        name: filename || t`Without a name`,
        bytes: typeof content === 'string' ? content.length : content.byteLength,
      })),
    }
  } catch {
    throw new UnreadableError(t`This e-mail cannot be shown. Download it to look at it.`)
  }
}

const named = ({ name, address }: { name?: string; address?: string }): string =>
  name && address ? `${name} <${address}>` : name || address || ''
