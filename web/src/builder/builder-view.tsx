import type { Agent } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { AgentFace, AgentProblem, deleteAgent, useAgent } from '../agents/agents.ts'
import { cx } from '../ui/class-names.ts'
import { buttonClass, IconButton } from '../ui/controls/button.tsx'
import { tabClass } from '../ui/controls/tabs.tsx'
import { Gauge, Lock, MessageSquare, Rows3, Trash2 } from '../ui/icons.ts'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { ScrollBox } from '../ui/layout/scroll-box.tsx'
import { Banner } from '../ui/notices/banner.tsx'
import { ConfirmDialog } from '../ui/overlays/ask-dialogs.tsx'
import { type Draft, useDraft } from './draft.ts'
import { PartContent } from './part-content.tsx'
import { type BuilderSearch, PARTS, type Part, partNames, SIDES, type Side, sideNames } from './parts.ts'
import { SaveBar } from './save-bar.tsx'
import { useLockReason } from './sharing/lock-reason.ts'
import { SideContent } from './side/side-content.tsx'

/** Builder of an existing agent: its settings, with a chat beside them to try it. */
export function BuilderView() {
  const { agentId = '' } = useParams({ strict: false })
  const { data: agent, error, refetch } = useAgent(agentId)
  if (error) return <AgentProblem error={error} onRetry={refetch} />
  return agent ? <Builder key={agent.id} agent={agent} /> : null
}

function Builder({ agent }: { agent: Agent }) {
  const { part = 'basics', side = 'try', shows = 'part' }: Partial<BuilderSearch> = useSearch({ strict: false })
  const lockReason = useLockReason(agent)
  const draft = useDraft(agent)
  const [isDeleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  return (
    <>
      <PageHeader
        title={agent.name}
        sign={<AgentFace agent={agent} />}
        actions={
          <>
            <Link to="/agents/$agentId/threads" params={{ agentId: agent.id }} className={buttonClass('secondary')}>
              <Rows3 size={16} aria-hidden />
              <span className="max-sm:sr-only">
                <Trans>Threads</Trans>
              </span>
            </Link>
            {lockReason === null && (
              <Link
                to="/agents/$agentId/evaluation"
                params={{ agentId: agent.id }}
                className={buttonClass('secondary')}
              >
                <Gauge size={16} aria-hidden />
                <span className="max-sm:sr-only">
                  <Trans>Evaluation</Trans>
                </span>
              </Link>
            )}
            <Link to="/chat/$agentId" params={{ agentId: agent.id }} className={buttonClass('secondary')}>
              <MessageSquare size={16} aria-hidden />
              <Trans>Chat</Trans>
            </Link>
            {lockReason === null && (
              <IconButton label={t`Delete this agent`} icon={Trash2} onClick={() => setDeleting(true)} />
            )}
          </>
        }
      />
      {lockReason && <Banner icon={Lock}>{lockReason}</Banner>}
      <div className="@container flex min-h-0 flex-1 flex-col">
        <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] @3xl:grid-cols-[minmax(0,1fr)_minmax(18rem,38%)] @4xl:grid-cols-[minmax(0,1fr)_minmax(20rem,44%)]">
          <PartTabs agentId={agent.id} part={part} side={side} shows={shows} />
          <div className={cx('flex min-h-0 min-w-0 flex-col', shows === 'side' && '@max-3xl:hidden')}>
            <SetUp agent={agent} part={part} draft={draft} lockReason={lockReason} />
          </div>
          <aside
            aria-label={sideNames()[side]}
            className={cx(
              'flex min-h-0 min-w-0 flex-col @3xl:border-s @3xl:border-line',
              shows === 'part' && '@max-3xl:hidden',
            )}
          >
            <SideContent side={side} agent={agent} isUnsaved={draft.changed.length > 0} lockReason={lockReason} />
          </aside>
        </div>
      </div>
      {isDeleting && (
        <ConfirmDialog
          title={t`Delete this agent?`}
          confirm={t`Delete`}
          act={async () => {
            draft.discard()
            await deleteAgent(agent.id)
            await navigate({ to: '/agents', ignoreBlocker: true })
          }}
          onClose={() => setDeleting(false)}
        >
          <Trans>“{agent.name}” no longer answers, and its chats can no longer be opened. Its folders stay.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}

interface SetUpProps {
  agent: Agent
  part: Part
  draft: Draft
  /** Reason why the agent cannot be changed. */
  lockReason: string | null
}

const SetUp = ({ agent, part, draft, lockReason }: SetUpProps) => (
  <>
    <ScrollBox key={part} label={partNames()[part]} className="min-h-0 flex-1 focus-visible:outline-offset-[-2px]">
      {/* Not part of the form in which it is saved: dialogs have forms of their own. */}
      <fieldset
        data-set-up
        disabled={lockReason !== null}
        className="in-order mx-auto max-w-2xl min-w-0 space-y-7 px-4 py-6 sm:px-6"
      >
        <PartContent part={part} agent={agent} draft={draft} />
      </fieldset>
    </ScrollBox>
    {lockReason === null && <SaveBar agentId={agent.id} draft={draft} />}
  </>
)

interface PartTabsProps {
  agentId: string
  part: Part
  side: Side
  shows: 'part' | 'side'
}

/** Tab strips. On wide screens each half has its own; on narrow screens there is one for both. */
function PartTabs({ agentId, part, side, shows }: PartTabsProps) {
  const strip = useRef<HTMLDivElement>(null)
  // The open tab may be out of view in a strip that is wider than the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is open is marked in the page.
  useEffect(() => {
    strip.current!.querySelector('[data-open]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [part, side, shows])
  return (
    <div ref={strip} className="scroll-quiet flex overflow-x-auto border-b border-line @3xl:contents">
      <nav aria-label={t`Parts`} className={cx(stripClass, '@3xl:col-start-1 @3xl:row-start-1')}>
        {PARTS.map((name) => (
          <Link
            key={name}
            to="/agents/$agentId"
            params={{ agentId }}
            search={(now: BuilderSearch) => ({ part: name, side: now.side })}
            aria-current={part === name ? 'page' : undefined}
            data-open={(shows === 'part' && part === name) || undefined}
            className={cx(tabClass, shows === 'side' && unseenClass)}
          >
            {partNames()[name]}
          </Link>
        ))}
      </nav>
      <nav aria-label={t`Beside`} className={cx(stripClass, '@3xl:col-start-2 @3xl:row-start-1 @3xl:border-s')}>
        {SIDES.map((name) => (
          <Link
            key={name}
            to="/agents/$agentId"
            params={{ agentId }}
            search={(now: BuilderSearch) => ({ part: now.part, side: name, shows: 'side' as const })}
            aria-current={side === name ? 'page' : undefined}
            data-open={(shows === 'side' && side === name) || undefined}
            className={cx(tabClass, shows === 'part' && unseenClass)}
          >
            {sideNames()[name]}
          </Link>
        ))}
      </nav>
    </div>
  )
}

const stripClass =
  'flex shrink-0 gap-0.5 px-1.5 *:px-2.5 sm:px-3.5 @3xl:min-w-0 @3xl:flex-wrap @3xl:content-end @3xl:border-b @3xl:border-line scroll-quiet'

/** Hides a half on narrow screens, which show one at a time. */
const unseenClass = '@max-3xl:aria-[current=page]:border-transparent @max-3xl:aria-[current=page]:text-muted'
