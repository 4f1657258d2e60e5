import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Square } from '../../../ui/icons.ts'

/** Line below an answer that its reader stopped: no error, as they wanted it. @param children what can be done now */
export function StoppedNote({ children }: { children?: ReactNode }) {
  return (
    <p className="flex flex-wrap items-center gap-3 text-sm text-muted">
      <Square size={12} fill="currentColor" className="shrink-0" aria-hidden />
      <Trans>This answer was stopped.</Trans>
      {children}
    </p>
  )
}
