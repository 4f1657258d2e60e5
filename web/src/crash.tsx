import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Button } from './ui/controls/button.tsx'
import { CircleAlert } from './ui/icons.ts'
import { EmptyState } from './ui/notices/empty-state.tsx'

/** Error page for a bug in the UI: reloading is the way out. */
export function Crash({ error }: ErrorComponentProps) {
  return (
    <EmptyState
      icon={CircleAlert}
      title={t`This page broke`}
      action={
        <Button variant="primary" onClick={() => location.reload()}>
          <Trans>Reload</Trans>
        </Button>
      }
    >
      <Trans>
        Nothing on the server is lost. If it happens again, tell the person who runs Docent: “
        {error instanceof Error ? error.message : String(error)}”
      </Trans>
    </EmptyState>
  )
}
