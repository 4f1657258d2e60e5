import { t } from '@lingui/core/macro'
import { useIsAdmin, useMay, useMe } from '../access/access.ts'

const GROUPS = [
  { name: t`You`, pages: [{ to: '/settings/account', name: t`My account`, for: 'people' }] },
  {
    name: t`Workspace`,
    pages: [
      { to: '/settings/models', name: t`Models`, for: 'admin' },
      { to: '/settings/members', name: t`Members`, for: 'admin' },
      { to: '/settings/providers', name: t`Sign-in providers`, for: 'admin' },
      { to: '/settings/integrations', name: t`Integrations`, for: 'all' },
    ],
  },
  {
    name: t`Developers`,
    pages: [
      { to: '/settings/keys', name: t`API keys`, for: 'manage_keys' },
      { to: '/settings/webhooks', name: t`Webhooks`, for: 'admin' },
      { to: '/settings/streaming', name: t`Streaming test`, for: 'all' },
    ],
  },
  {
    name: t`Activity`,
    pages: [
      { to: '/settings/usage', name: t`Usage`, for: 'admin' },
      { to: '/settings/quotas', name: t`Quotas`, for: 'admin' },
      { to: '/settings/audit-log', name: t`Audit log`, for: 'admin' },
    ],
  },
] as const

/** Settings pages that the caller's role may see, in their groups. */
export function useSettingsGroups() {
  const isAdmin = useIsAdmin()
  const isPerson = useMe().data?.member != null
  const sees = { all: true, admin: isAdmin, manage_keys: useMay('manage_keys'), people: isPerson }
  return GROUPS.map(({ name, pages }) => ({ name, pages: pages.filter((page) => sees[page.for]) })).filter(
    ({ pages }) => pages.length > 0,
  )
}
