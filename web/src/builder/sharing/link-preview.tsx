import type { Agent } from '@docent/sdk'
import { I18nProvider, useLingui as useTexts } from '@lingui/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Language } from '../../../languages/languages.ts'
import { directionOf, LANGUAGE } from '../../platform/language.ts'
import { cx } from '../../ui/class-names.ts'
import { ArrowUp, MessageSquare } from '../../ui/icons.ts'
import { branded } from './branded.ts'
import { type LinkLook, questionsOf } from './link-look.ts'
import { LinkStart } from './link-start.tsx'
import { textsIn } from './link-texts.ts'

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
        <InLanguage language={look.language ?? LANGUAGE}>
          <ChatPage name={name} description={description} greeting={greeting} look={look} />
        </InLanguage>
        <div className={cx('mt-3 flex', look.position === 'right' ? 'justify-end' : 'justify-start')} dir="ltr">
          <span className="brand-button grid size-11 place-items-center rounded-full">
            <MessageSquare size={20} aria-hidden />
          </span>
        </div>
      </div>
    </figure>
  )
}

interface ChatPageProps {
  name: string
  description: string
  greeting: string
  look: LinkLook
}

function ChatPage({ name: agentName, description, greeting, look }: ChatPageProps) {
  const { t } = useLingui()
  const language = look.language ?? LANGUAGE
  return (
    <div
      lang={language}
      dir={directionOf(language)}
      className="flex min-h-80 flex-col overflow-hidden rounded-card border border-line bg-paper text-sm"
    >
      <div className="flex items-center gap-2 border-b border-line px-4 py-2">
        {look.logo && <img src={look.logo} alt="" className="max-h-7 max-w-28 object-contain" />}
        <span className="min-w-0 flex-1 truncate font-display text-xl leading-tight">{agentName}</span>
      </div>
      <LinkStart greeting={greeting} description={description} questions={questionsOf(look)} onAsk={() => {}} />
      <div className="mx-3 mb-3 flex items-center justify-between rounded-card border border-line-strong/60 bg-raised py-1.5 pe-1.5 ps-3 text-muted">
        {t`Ask ${agentName}`}
        <span className="rounded-control bg-accent p-1.5 text-on-accent">
          <ArrowUp size={16} aria-hidden />
        </span>
      </div>
    </div>
  )
}

/** Shows its content with the texts of a language; with those of the UI until they are loaded. */
function InLanguage({ language, children }: { language: Language; children: ReactNode }) {
  const { i18n } = useTexts()
  const { data: texts } = useQuery({
    queryKey: ['texts', language],
    queryFn: () => textsIn(language, 'link-preview'),
    enabled: language !== LANGUAGE,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return <I18nProvider i18n={texts ?? i18n}>{children}</I18nProvider>
}
