import type { Project } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Textarea } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { LeaveGuard } from '../../ui/overlays/leave-guard.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { changeProject } from './projects.queries.ts'

const MOST_CHARACTERS = 8000

/** Instructions of a project, edited where they are. */
export function ProjectInstructions({ project }: { project: Project }) {
  const [typed, setTyped] = useState<string | null>(null)
  const id = useId()
  const text = typed ?? project.instructions
  const isDirty = typed !== null && typed !== project.instructions
  const saving = useMutation({
    mutationFn: () => changeProject(project.id, { instructions: text }),
    onSuccess() {
      setTyped(null)
      toast(t`Saved`)
    },
  })
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-1 font-medium">
        <Trans>Instructions</Trans>
      </h2>
      <p className="mb-2 text-sm text-muted text-pretty">
        <Trans>The agent follows them in every chat of this project.</Trans>
      </p>
      <Textarea
        aria-labelledby={id}
        readOnly={!project.can_change}
        rows={4}
        maxLength={MOST_CHARACTERS}
        placeholder={project.can_change ? t`How should it answer here? Who is it for?` : t`None`}
        value={text}
        onChange={({ target }) => setTyped(target.value)}
        className="field-sizing-content max-h-80 min-h-24"
      />
      {saving.error && <Notice className="mt-2">{explain(saving.error)}</Notice>}
      {isDirty && (
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={() => setTyped(null)}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" isBusy={saving.isPending} onClick={() => saving.mutate()}>
            <Trans>Save</Trans>
          </Button>
        </div>
      )}
      <LeaveGuard isDirty={isDirty}>
        <Trans>The instructions that you typed would be lost.</Trans>
      </LeaveGuard>
    </section>
  )
}
