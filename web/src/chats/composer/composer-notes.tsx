import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useIsAdmin, useMay } from '../../access/access.ts'
import { useAgentModel, useModels } from '../../agents/agents.ts'
import { nameOf } from '../models/use-model-choice.ts'

interface ModelNoteProps {
  agentId: string
  /** Chosen model of the next answer; absent or null: that of the agent. */
  model?: string | null
}

/** Tells a person who asks a model that only quotes that another one can be connected, with the way there. */
export function OfflineNote({ agentId, model }: ModelNoteProps) {
  const { data: own } = useAgentModel(agentId)
  const onlyQuotes = model ? model.startsWith('builtin/') : own?.can_converse === false
  return onlyQuotes ? <Offline /> : null
}

/** Line of the offline model for a page without an agent. */
export function OfflineStart() {
  const { data: models } = useModels(useMay('manage_agents'))
  return models && !models.can_converse ? <Offline /> : null
}

function Offline() {
  const isAdmin = useIsAdmin()
  return (
    <p className="pt-1.5 text-center text-xs text-muted">
      {isAdmin ? (
        <Trans>
          Answers quote sentences of the documents.{' '}
          <Link to="/settings/models" className="text-accent underline">
            Connect a model
          </Link>{' '}
          for answers in its own words.
        </Trans>
      ) : (
        <Trans>Answers quote sentences of the documents: no language model is connected.</Trans>
      )}
    </p>
  )
}

/** Tells a person who attaches pictures that the model does not see them. */
export function PictureNote({ agentId, model }: ModelNoteProps) {
  const { data: own } = useAgentModel(agentId)
  const { data: models } = useModels(useMay('manage_agents') && Boolean(model))
  const chosen = model ? models?.models.find(({ id }) => id === model) : own
  if (!chosen || chosen.sees_pictures) return null
  const name = nameOf(model ?? own!.model)
  return (
    <p role="status" className="px-2 pb-1 text-sm text-muted">
      {chosen.sees_pictures === null
        ? t`It is not known whether ${name} sees pictures: only the text recognised in them is sent.`
        : t`${name} does not see pictures: only the text recognised in them is sent.`}
    </p>
  )
}
