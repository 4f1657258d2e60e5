import type { ComponentProps } from 'react'
import { later } from '../../ui/later.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import type { ModelChoice } from './use-model-choice.ts'

const ModelSearch = later(async () => (await import('./model-search.tsx')).ModelSearch)

interface ModelMenuProps extends Pick<ComponentProps<typeof Popover>, 'label' | 'trigger' | 'align'> {
  choice: ModelChoice
  /** Chosen model; null: that of the agent. */
  chosen: string | null
  /** @param model null for that of the agent */
  onChoose: (model: string | null) => void
}

/** List to search of the models that an answer may come from. */
export const ModelMenu = ({ choice, chosen, onChoose, ...popover }: ModelMenuProps) => (
  <Popover {...popover} className="w-[min(24rem,92vw)]">
    {(close) => (
      <ModelSearch
        label={popover.label}
        ofAgent={choice.ofAgent}
        chosen={chosen}
        onChoose={(model) => {
          close()
          onChoose(model)
        }}
      />
    )}
  </Popover>
)
