import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { updateAgent } from '../agents/agents.ts'
import { explain } from '../platform/errors.ts'
import { Button } from '../ui/controls/button.tsx'
import { Notice } from '../ui/notices/notice.tsx'
import { LeaveGuard } from '../ui/overlays/leave-guard.tsx'
import { toast } from '../ui/overlays/toasts.tsx'
import { unawaited } from '../ui/unawaited.ts'
import { refreshLinks } from './builder.queries.ts'
import { type Draft, toUpdate } from './draft.ts'
import { FIELD_PARTS, partNames } from './parts.ts'

interface SaveBarProps {
  agentId: string
  draft: Draft
}

/** Bar shown while there are unsaved changes; it warns before they are lost. Ctrl+S or ⌘S saves. */
export function SaveBar({ agentId, draft }: SaveBarProps) {
  const isDirty = draft.changed.length > 0
  const bar = useRef<HTMLElement>(null)
  /** The bar disappears with the changes, so keyboard focus moves back to the part. */
  function discard() {
    const { activeElement } = document
    // A busy button has already lost the focus.
    if (activeElement === document.body || bar.current?.contains(activeElement))
      document.querySelector<HTMLElement>('[data-set-up]')?.parentElement?.focus({ preventScroll: true })
    draft.discard()
  }
  const saving = useMutation({
    mutationFn: () => updateAgent(agentId, toUpdate(draft)),
    onSuccess() {
      discard()
      unawaited(refreshLinks(agentId))
      toast(t`Saved`)
    },
  })
  const save = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      save.current?.click()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])

  const parts = [...new Set(draft.changed.map((name) => partNames()[FIELD_PARTS[name]]))]
  return (
    <>
      {isDirty && (
        <section
          ref={bar}
          aria-label={t`Unsaved changes`}
          className="flex shrink-0 animate-rise flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-paper px-4 py-2.5 sm:px-6"
        >
          {saving.error && <Notice className="w-full">{explain(saving.error)}</Notice>}
          <p className="min-w-32 flex-1 text-sm">
            <Trans>
              Not saved yet: <span className="text-muted">{parts.join(', ')}</span>
            </Trans>
          </p>
          <div className="flex gap-2">
            <Button
              variant="quiet"
              onClick={() => {
                saving.reset()
                discard()
              }}
            >
              <Trans>Discard</Trans>
            </Button>
            <Button ref={save} variant="primary" type="submit" form="builder" isBusy={saving.isPending}>
              <Trans>Save</Trans>
            </Button>
          </div>
        </section>
      )}
      <form
        id="builder"
        hidden
        onSubmit={(event) => {
          event.preventDefault()
          // The fields are not in one form, so the browser cannot validate all parts; the server does.
          const wrong = document.querySelector<HTMLInputElement>('[data-set-up] :is(input, textarea):invalid')
          if (wrong) wrong.reportValidity()
          else if (isDirty) saving.mutate()
        }}
      />
      <LeaveGuard isDirty={isDirty}>
        <Trans>What you changed in {parts.join(', ')} would be lost.</Trans>
      </LeaveGuard>
    </>
  )
}
