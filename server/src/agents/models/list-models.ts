import type { ModelSet } from '../../platform/models/model-set.ts'
import { findOffered, type Offered } from '../../platform/models/offered/offered-models.ts'
import type { ListedModel } from './models.schemas.ts'

interface Price {
  input: number
  output: number
}

export interface Prices {
  /** Models that the operator knows prices of are likely the ones that are used. */
  prices(): { pattern: string }[]
  priceOf(model: string): Price | undefined
}

/** Providers of this server with the models that each of them says it has, and what these can do. */
export async function listModels(models: ModelSet, prices: Prices) {
  const { defaultModelId } = models
  const named = [defaultModelId, ...prices.prices().map(({ pattern }) => pattern)].filter((id) => !id.includes('*'))
  const providers = await Promise.all(
    models.providers().map(async ({ id, name, missing, source }) => {
      const offered: Offered = missing === null ? await models.offered(id) : { models: [], problem: null }
      const own = (list: string[]) => (missing === null ? list.filter((model) => model.startsWith(`${id}/`)) : [])
      const listed = offered.models.map((model) => `${id}/${model.name}`)
      // Its own list says what is there; the default stays, for agents that name none use it.
      const others = offered.problem === null ? own([defaultModelId]) : own([...named, ...models.suggestions()])
      return { id, name, missing, source, offered, ids: [...new Set([...others, ...listed])] }
    }),
  )
  return {
    default_model: defaultModelId,
    can_converse: models.canConverse(defaultModelId),
    providers: providers.map(({ id, name, missing, source, ids }) => ({
      id,
      name,
      is_configured: missing === null,
      missing_setting: missing,
      models: ids,
      source,
    })),
    models: await Promise.all(
      providers.flatMap(({ id, ids, offered }) =>
        ids.map((model) => describeModel(models, prices, model, findOffered(offered, model.slice(id.length + 1)))),
      ),
    ),
    list_problems: Object.fromEntries(
      providers.flatMap(({ id, offered }) => (offered.problem === null ? [] : [[id, offered.problem]])),
    ),
  }
}

async function describeModel(
  models: ModelSet,
  prices: Prices,
  id: string,
  offered?: Offered['models'][number],
): Promise<ListedModel> {
  const known = await models.findAbilities(id)
  const price = prices.priceOf(id) ?? offered?.price
  return {
    id,
    context_tokens: offered?.contextTokens ?? known?.contextTokens ?? null,
    context_is_assumed: offered?.contextTokens === undefined && known?.isWindowAssumed === true,
    sees_pictures: known?.seesPictures ?? null,
    takes_tools: offered?.takesTools ?? known?.takesTools ?? null,
    price: price ? { input: price.input, output: price.output } : null,
  }
}
