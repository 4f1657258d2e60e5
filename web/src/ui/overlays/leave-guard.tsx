import { t } from '@lingui/core/macro'
import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ConfirmDialog } from './ask-dialogs.tsx'

interface LeaveGuardProps {
  isDirty: boolean
  /** Sentence about what would be lost. */
  children: ReactNode
}

/** Asks before another page, or another site, takes the place of one with changes that are not saved. */
export function LeaveGuard({ isDirty, children }: LeaveGuardProps) {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  if (leaving.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title={t`Leave without saving?`}
      confirm={t`Leave`}
      act={async () => leaving.proceed()}
      onClose={() => leaving.reset()}
    >
      {children}
    </ConfirmDialog>
  )
}
