import { Trans } from '@lingui/react/macro'
import { NoAccess, useIsAdmin } from '../../access/access.ts'
import { later } from '../../ui/later.tsx'
import { Waiting } from '../../ui/layout/waiting.tsx'
import { ModelDefaults } from './model-defaults.tsx'
import { ModelList } from './model-list.tsx'
import { ModelProviders } from './model-providers.tsx'

const Reranker = later(async () => (await import('./search-parts.ts')).Reranker, Waiting)
const SearchModel = later(async () => (await import('./search-parts.ts')).SearchModel, Waiting)

/** Providers of models, the models that they have, and those that are used where nothing else is chosen. */
export function ModelsPage() {
  if (!useIsAdmin())
    return (
      <NoAccess>
        <Trans>Models are for admins and owners.</Trans>
      </NoAccess>
    )
  return (
    <>
      <ModelProviders />
      <ModelDefaults />
      <SearchModel />
      <Reranker />
      <ModelList />
    </>
  )
}
