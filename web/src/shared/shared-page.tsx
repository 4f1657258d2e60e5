import { DocentError } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { SignIn, useSession } from '../access/access.ts'
import { explain } from '../platform/errors.ts'
import { LANGUAGE } from '../platform/language.ts'
import { Button, buttonClass } from '../ui/controls/button.tsx'
import { Link2 } from '../ui/icons.ts'
import { notifyHost } from './host.ts'
import { enterAsUser } from './host-user.ts'
import { SharedChat } from './shared-chat.tsx'
import { visit } from './visits.ts'

/** Renewal interval: a visitor's token is valid for a day and is renewed well before its end. */
const RENEW_MS = 12 * 3_600_000

/** Page of a link: everybody who has the link can chat with its agent. */
export function SharedPage() {
  const { token = '' } = useParams({ strict: false })
  const { embed = false } = useSearch({ strict: false }) as { embed?: boolean | 'user' }
  const isUser = embed === 'user' && parent !== window
  const session = useSession()
  const who = session.state === 'signed_in' ? session.identity.key.id : null
  const {
    data: agent,
    error,
    refetch,
  } = useQuery({
    queryKey: ['visit', token, who, isUser],
    queryFn: () => (isUser ? enterAsUser(token) : visit(token)),
    enabled: session.state !== 'checking',
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: !isUser && RENEW_MS,
  })
  useEffect(() => {
    if (embed) notifyHost('ready')
  }, [embed])

  const isInItsLanguage = agent?.language == null || agent.language === LANGUAGE
  useEffect(() => {
    if (!isInItsLanguage) reloadIn(agent!.language!)
  }, [isInItsLanguage, agent])

  if (agent && isInItsLanguage) return <SharedChat agent={agent} isEmbedded={Boolean(embed)} />
  if (!error || agent) return null
  const code = error instanceof DocentError ? error.code : ''
  if (code === 'FORBIDDEN') return embed ? <OpenApart /> : <SharedSignIn />
  if (code === 'AGENT_LINK_NOT_FOUND')
    return (
      <Closed title={t`This link does not work`}>
        <Trans>It may have been closed or deleted. Ask the person who gave it to you for another one.</Trans>
      </Closed>
    )
  return (
    <Closed
      title={t`Not yet`}
      action={
        <Button onClick={() => refetch()}>
          <Trans>Try again</Trans>
        </Button>
      }
    >
      {explain(error)}
    </Closed>
  )
}

function reloadIn(language: string): void {
  const address = new URL(location.href)
  address.searchParams.set('language', language)
  location.replace(address)
}

/** Sign-in for people of the organization; afterwards the page tries again. */
function SharedSignIn() {
  const session = useSession()
  if (session.state === 'checking') return null
  if (session.state === 'signed_in')
    return (
      <Closed title={t`Not allowed with this key`}>
        <Trans>
          This link is for people of the organization that made it, with a key that may ask its agent. You are signed in
          with another one.
        </Trans>
      </Closed>
    )
  return <SignIn because={t`This link is for people of its organization: sign in first`} />
}

/** Notice in a frame of another site, where nobody should type a key. */
const OpenApart = () => (
  <Closed
    title={t`Sign in first`}
    action={
      <a href={location.pathname} target="_blank" rel="noreferrer" className={buttonClass('primary')}>
        <Trans>Open in a new tab</Trans>
      </a>
    }
  >
    <Trans>This chat is for people of the organization.</Trans>
  </Closed>
)

interface ClosedProps {
  title: string
  action?: ReactNode
  children: ReactNode
}

/** Page shown when nobody can chat here, with the reason. */
const Closed = ({ title, action, children }: ClosedProps) => (
  <main className="flex min-h-dvh flex-col items-center justify-center bg-paper p-6 text-center">
    <title>{`${title} · Docent`}</title>
    <Link2 size={28} strokeWidth={1.4} className="text-muted" aria-hidden />
    <h1 className="mt-4 font-display text-3xl leading-tight">{title}</h1>
    <p className="mt-2 mb-5 max-w-sm text-muted text-pretty wrap-anywhere">{children}</p>
    {action}
  </main>
)
