import type { Agent } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { directionOf } from '../../platform/language.ts'
import { cx } from '../../ui/class-names.ts'
import { ArrowUp, MessageSquare } from '../../ui/icons.ts'
import { branded } from './branded.ts'
import { type LinkLook, questionsOf } from './link-look.ts'
import { LinkStart } from './link-start.tsx'

interface LinkPreviewProps {
  agent: Agent
  greeting: string
  look: LinkLook
}

/** The chat as a website will show it, with its button; nothing in it can be used. */
export function LinkPreview({ agent: { name, description }, greeting, look }: LinkPreviewProps) {
  const { className, style } = branded(look.color)
  return (
    <figure>
      <figcaption className="mb-1.5 font-medium">
        <Trans>Preview</Trans>
      </figcaption>
      <div inert style={style} className={cx('rounded-card border border-line bg-canvas p-3', className)}>
        <div
          dir={look.language ? directionOf(look.language) : undefined}
          className="flex h-80 flex-col overflow-hidden rounded-card border border-line bg-paper text-sm"
        >
          <div className="flex items-center gap-2 border-b border-line px-4 py-2">
            {look.logo && <img src={look.logo} alt="" className="max-h-7 max-w-28 object-contain" />}
            <span className="min-w-0 flex-1 truncate font-display text-xl leading-tight">{name}</span>
          </div>
          <LinkStart greeting={greeting} description={description} questions={questionsOf(look)} onAsk={() => {}} />
          <div className="mx-3 mb-3 flex items-center justify-between rounded-card border border-line-strong/60 bg-raised py-1.5 pe-1.5 ps-3 text-muted">
            {t`Ask ${name} …`}
            <span className="rounded-control bg-accent p-1.5 text-on-accent">
              <ArrowUp size={16} aria-hidden />
            </span>
          </div>
        </div>
        <div className={cx('mt-3 flex', look.position === 'right' ? 'justify-end' : 'justify-start')} dir="ltr">
          <span className="brand-button grid size-11 place-items-center rounded-full">
            <MessageSquare size={20} aria-hidden />
          </span>
        </div>
      </div>
    </figure>
  )
}
