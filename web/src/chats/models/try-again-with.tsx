import { t } from '@lingui/core/macro'
import { IconButton } from '../../ui/controls/button.tsx'
import { Brain } from '../../ui/icons.ts'
import { ModelMenu } from './model-menu.tsx'
import { useModelChoice } from './use-model-choice.ts'

interface TryAgainWithProps {
  agentId: string
  /** Model that the question named; null: that of the agent. */
  model: string | null
  /** @param model null for that of the agent */
  onChoose: (model: string | null) => void
}

/** Button and menu that have a question answered again by another model; nothing for those who may not choose one. */
export function TryAgainWith({ agentId, model, onChoose }: TryAgainWithProps) {
  const choice = useModelChoice(agentId)
  if (!choice) return null
  return (
    <ModelMenu
      label={t`Try again with another model`}
      align="start"
      choice={choice}
      chosen={model}
      onChoose={onChoose}
      trigger={(props) => <IconButton {...props} label={t`Try again with…`} icon={Brain} />}
    />
  )
}
