import type { ListedModel, Models } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { formatNumber } from '../../platform/format.ts'
import type { ChoiceGroup } from '../../ui/fields/combobox.tsx'

/** Models by provider, as choices that tell what each can do. */
export function modelChoices({ providers, models }: Models): ChoiceGroup[] {
  const known = new Map(models.map((model) => [model.id, model]))
  const toChoice = (value: string) => {
    const model = known.get(value)
    return { value, aside: model && abilitiesOf(model) }
  }
  return providers.map(({ name, models }) => ({ name, choices: models.map(toChoice) }))
}

/** Abilities in a line: `200,000 tokens · pictures · tools · $3 in, $15 out for a million`. */
const abilitiesOf = ({ context_tokens, sees_pictures, takes_tools, price }: ListedModel): string =>
  [
    context_tokens !== null && t`${formatNumber(context_tokens)} tokens`,
    sees_pictures ? t`pictures` : t`no pictures`,
    takes_tools !== null && (takes_tools ? t`tools` : t`no tools`),
    price && priceInWords(price),
  ]
    .filter(Boolean)
    .join(' · ')

/** Price of a million tokens. */
export function priceInWords({ input, output }: NonNullable<ListedModel['price']>): string {
  if (input === 0 && output === 0) return t`free`
  return t`$${formatNumber(input)} in, $${formatNumber(output)} out for a million`
}
