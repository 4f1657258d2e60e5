import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useState } from 'react'
import { formatDuration } from '../../platform/format.ts'
import { cx } from '../../ui/class-names.ts'
import { Brain, CircleAlert, type LucideIcon } from '../../ui/icons.ts'
import { later } from '../../ui/later.tsx'
import { Fold } from '../../ui/layout/fold.tsx'
import { ScrollBox } from '../../ui/layout/scroll-box.tsx'
import type { ReasoningStep, Step, ToolStep } from '../answers/live-answer.ts'
import { loadRareParts } from '../load-rare-parts.ts'
import { groupSteps, type StepGroup, summarizeCall } from './step-groups.ts'
import { endedTitle, toolWords } from './tool-labels.ts'
import { ToolPreviewContent } from './tool-preview.tsx'

const ToolArguments = later(async () => (await loadRareParts()).ToolArguments)

/** Shortest duration that is shown. */
const MIN_SHOWN_MS = 1_000

interface StepsProps {
  steps: Step[]
  /** Pauses the display while a person decides. */
  isPaused?: boolean
  /** Question that they answer, where it is above them. */
  question?: string
}

/** Steps of the agent, each folded, with the steps of sub-agents inside. */
export const Steps = ({ steps, isPaused = false, question }: StepsProps) => {
  const shown = isPaused ? steps.map((step) => ({ ...step, isDone: true })) : steps
  return <StepList groups={groupSteps(shown)} label={t`Steps`} question={question} />
}

interface StepListProps {
  groups: StepGroup[]
  label: string
  question?: string
}

const StepList = ({ groups, label, question }: StepListProps) => (
  <ol aria-label={label} className="space-y-0.5">
    {groups.map(({ step, inner }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added, and never change places.
      <li key={index}>
        {step.kind === 'tool' ? <ToolLine step={step} inner={inner} question={question} /> : <Reasoning step={step} />}
      </li>
    ))}
  </ol>
)

interface ToolLineProps {
  step: ToolStep
  inner: StepGroup[]
  question: string | undefined
}

function ToolLine({ step, inner, question }: ToolLineProps) {
  const { toolName, preview, isDone, given, startedMs, endedMs } = step
  const { doing, icon } = toolWords(toolName)
  const hasFailed = preview?.status === 'error'
  const summary = preview ? undefined : summarizeCall(step)
  const title = (preview && endedTitle(step, question)) || doing
  const hasContent = preview !== null || inner.length > 0 || (given && Object.keys(given).length > 0)
  const tookMs = startedMs !== undefined && endedMs !== undefined ? endedMs - startedMs : undefined
  const line = {
    icon: hasFailed ? CircleAlert : icon,
    hasFailed,
    isRunning: !isDone,
    title: isDone ? title : `${title}…`,
    aside: isDone ? tookMs !== undefined && tookMs >= MIN_SHOWN_MS && formatDuration(tookMs) : <Elapsed />,
    summary,
  }
  // The steps of a running sub-agent are visible.
  if (inner.length > 0)
    return (
      <>
        <Folded {...line}>
          <ToolContent step={step} />
        </Folded>
        <div className="ms-1.75 border-s-2 border-line ps-4">
          <StepList groups={inner} label={t`Steps of ${innerAgent(inner) ?? t`the other agent`}`} />
        </div>
      </>
    )
  if (!hasContent) return <StepLine {...line} />
  return (
    <Folded {...line}>
      <ToolContent step={step} />
    </Folded>
  )
}

const innerAgent = ([first]: StepGroup[]) => (first?.step.kind === 'tool' ? first.step.agentName : undefined)

const ToolContent = ({ step: { toolName, given, preview } }: { step: ToolStep }) => (
  <div className="space-y-3">
    {given && <ToolArguments toolName={toolName} given={given} isShort={Boolean(preview?.content)} />}
    {preview?.content && <ToolPreviewContent preview={preview} />}
  </div>
)

function Reasoning({ step: { text, isDone, startedAt, endedAt } }: { step: ReasoningStep }) {
  const tookMs = startedAt !== undefined && endedAt !== undefined ? endedAt - startedAt : 0
  const title = !isDone ? t`Thinking…` : tookMs >= MIN_SHOWN_MS ? t`Thought for ${formatDuration(tookMs)}` : t`Thoughts`
  return (
    <Folded icon={Brain} title={title} isRunning={!isDone} aside={!isDone && <Elapsed />}>
      <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
    </Folded>
  )
}

/** Seconds since it was first shown. */
function Elapsed() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const from = performance.now()
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - from) / 1_000)), 1_000)
    return () => clearInterval(timer)
  }, [])
  return seconds > 1 ? `${seconds} s` : null
}

interface StepLineProps {
  icon: LucideIcon
  title: string
  summary?: string
  aside?: ReactNode
  isRunning?: boolean
  hasFailed?: boolean
}

const StepLine = ({ icon: Icon, title, summary, aside, isRunning, hasFailed }: StepLineProps) => (
  <span className={cx('flex min-w-0 items-center gap-2 py-1 text-sm', hasFailed ? 'text-bad' : 'text-muted')}>
    <Icon size={15} className={cx('shrink-0', isRunning && 'animate-breathe')} aria-hidden />
    <span className="min-w-0 truncate">
      {hasFailed && (
        <span className="sr-only">
          <Trans>Failed:</Trans>{' '}
        </span>
      )}
      {title}
      {summary && <span> {summary}</span>}
    </span>
    {aside && <span className="shrink-0 text-xs tabular-nums">{aside}</span>}
  </span>
)

const Folded = ({ children, ...line }: StepLineProps & { children: ReactNode }) => (
  <Fold summary={<StepLine {...line} />} isSignLast>
    <ScrollBox
      label={line.title}
      className="prose my-1.5 ms-1.75 max-h-80 border-s-2 border-line py-0.5 ps-4 text-sm text-muted"
    >
      {children}
    </ScrollBox>
  </Fold>
)
