import { t } from '@lingui/core/macro'
import { Button } from '../../ui/controls/button.tsx'
import { Brain } from '../../ui/icons.ts'
import { ModelMenu } from '../models/model-menu.tsx'
import { type ModelChoice, nameOf } from '../models/use-model-choice.ts'

interface ChatModelProps {
  choice: ModelChoice
  /** Model of the next answer; null: that of the agent. */
  model: string | null
  onChoose: (model: string | null) => void
}

/** Model that answers next in a chat, and the menu to switch it. */
export function ChatModel({ choice, model, onChoose }: ChatModelProps) {
  const name = nameOf(model ?? choice.ofAgent)
  return (
    <ModelMenu
      label={t`Model of the next answer`}
      choice={choice}
      chosen={model}
      onChoose={onChoose}
      trigger={(props) => (
        <Button {...props} variant="quiet" icon={Brain} aria-label={t`Model of the next answer: ${name}`} title={name}>
          <span className="max-w-40 truncate max-md:hidden">{name}</span>
        </Button>
      )}
    />
  )
}
