import type { Chat } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { moveChat, useProjects } from './projects.queries.ts'

interface MoveChatProps {
  chat: Chat
  onClose: () => void
}

/** Dialog that puts a chat into a project, or takes it out. */
export function MoveChat({ chat, onClose }: MoveChatProps) {
  const { data: projects, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useProjects()
  const [projectId, setProjectId] = useState(chat.project_id)
  const name = projects?.find(({ id }) => id === projectId)?.name ?? ''
  const saving = useMutation({
    mutationFn: () => moveChat({ agentId: chat.agent_id, chatId: chat.id }, projectId),
    onSuccess() {
      toast(projectId === null ? t`The chat is in no project now.` : t`The chat is in “${name}” now.`)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t`Move the chat to a project`}
      save={t`Move`}
      saving={saving}
      isDisabled={projectId === chat.project_id}
      onSave={() => saving.mutate()}
      onClose={onClose}
    >
      {error && <Notice>{explain(error)}</Notice>}
      <Field label={t`Project`} hint={t`Answers read the files of the project and follow its instructions.`}>
        {(control) => (
          <Select
            {...control}
            value={projectId ?? ''}
            onChange={({ target }) => setProjectId(target.value === '' ? null : target.value)}
          >
            <option value="">{t`No project`}</option>
            {projects?.map((project) => (
              <option key={project.id} value={project.id}>
                {project.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {projects?.length === 0 && (
        <p className="text-muted">
          <Trans>
            There is no project yet: make one on the{' '}
            <Link to="/projects" onClick={onClose} className="underline">
              page of the projects
            </Link>
            .
          </Trans>
        </p>
      )}
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </FormDialog>
  )
}
