import type { ApiKey } from '@docent/sdk'
import { t } from '@lingui/core/macro'

/** Name of a role, as people read it. */
export const roleName = (role: ApiKey['role']): string =>
  ({ owner: t`Owner`, admin: t`Admin`, member: t`Member` })[role]
