import type { Message } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { explain } from '../../../platform/errors.ts'
import { IconButton } from '../../../ui/controls/button.tsx'
import { ChevronLeft, ChevronRight, Columns3 } from '../../../ui/icons.ts'
import { toast } from '../../../ui/overlays/toasts.tsx'
import type { ChatPath } from '../../chats.queries.ts'
import { showVersion } from '../message-changes.ts'
import { turnElementId } from '../shown-turn.ts'
import { CompareVersions } from './compare-versions.tsx'

interface VersionsProps {
  path: ChatPath
  message: Message
  versions: string[]
  /** Whether an answer is coming, which would be shown in a branch that is not its own. */
  isBusy: boolean
}

/** Steps through the versions of a question and its answer, and compares them. */
export function Versions({ path, message: { id }, versions, isBusy }: VersionsProps) {
  const [isComparing, setComparing] = useState(false)
  const [isLoading, setLoading] = useState(false)
  const at = versions.indexOf(id)

  async function show(to: string, label: string) {
    setLoading(true)
    try {
      await showVersion(path, to)
      focusIn(to, label)
    } catch (error) {
      toast(explain(error), { isError: true })
    }
    setLoading(false)
  }
  const step = (label: string, icon: typeof ChevronLeft, to: string | undefined) => (
    <IconButton
      label={label}
      icon={icon}
      disabled={to === undefined || isBusy || isLoading}
      onClick={() => to !== undefined && show(to, label)}
    />
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-label={t`Versions`} className="me-1 flex items-center">
      {step(t`Previous version`, ChevronLeft, versions[at - 1])}
      <p className="min-w-8 text-center text-sm text-muted tabular-nums" aria-live="polite">
        <span className="sr-only">
          <Trans>Version</Trans> {at + 1} <Trans>of {versions.length}</Trans>
        </span>
        <span aria-hidden>
          {at + 1}/{versions.length}
        </span>
      </p>
      {step(t`Next version`, ChevronRight, versions[at + 1])}
      <IconButton label={t`Compare versions`} icon={Columns3} onClick={() => setComparing(true)} />
      {isComparing && (
        <CompareVersions path={path} versions={versions} shown={id} onClose={() => setComparing(false)} />
      )}
    </div>
  )
}

/** Keeps the keyboard at the switch, which is in another turn now. */
function focusIn(id: string, label: string): void {
  requestAnimationFrame(() => {
    const turn = document.getElementById(turnElementId(id))
    const button = turn?.querySelector<HTMLElement>(`[aria-label="${label}"]:not(:disabled)`)
    ;(button ?? turn)?.focus({ preventScroll: true })
    turn?.scrollIntoView({ block: 'nearest' })
  })
}
