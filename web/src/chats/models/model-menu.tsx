import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx'
import { type ModelChoice, nameOf } from './use-model-choice.ts'

interface ModelMenuProps extends Pick<ComponentProps<typeof Menu>, 'label' | 'trigger' | 'align'> {
  choice: ModelChoice
  /** Chosen model; null: that of the agent. */
  chosen: string | null
  /** @param model null for that of the agent */
  onChoose: (model: string | null) => void
}

/** Menu of the models that an answer may come from. */
export const ModelMenu = ({ choice: { all, ofAgent }, chosen, onChoose, ...menu }: ModelMenuProps) => (
  <Menu {...menu} className="max-w-[min(22rem,90vw)]">
    {all.map((model) => (
      <MenuItem
        key={model}
        isChecked={model === (chosen ?? ofAgent)}
        onSelect={() => onChoose(model === ofAgent ? null : model)}
      >
        <span className="wrap-anywhere">{nameOf(model)}</span>
        <span className="block text-sm text-muted">
          {model === ofAgent ? t`The model of the agent` : model.slice(0, model.indexOf('/'))}
        </span>
      </MenuItem>
    ))}
  </Menu>
)
