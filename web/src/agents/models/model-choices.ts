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

/** Tokens that a model holds, or that it is assumed to hold where nobody tells. */
function windowInWords({ context_tokens, context_is_assumed }: ListedModel): string | null {
  if (context_tokens === null) return null
  const tokens = formatNumber(context_tokens)
  return context_is_assumed ? t`${tokens} tokens assumed` : t`${tokens} tokens`
}

/** Abilities in a line: `200,000 tokens · pictures · tools · $3 in, $15 out for a million`. */
const abilitiesOf = (model: ListedModel): string =>
  [
    windowInWords(model),
    model.sees_pictures !== null && (model.sees_pictures ? t`pictures` : t`no pictures`),
    model.takes_tools !== null && (model.takes_tools ? t`tools` : t`no tools`),
    model.price && priceInWords(model.price),
  ]
    .filter(Boolean)
    .join(' · ')

/** Price of a million tokens. */
export function priceInWords({ input, output }: NonNullable<ListedModel['price']>): string {
  if (input === 0 && output === 0) return t`free`
  return t`$${formatNumber(input)} in, $${formatNumber(output)} out for a million`
}
