import { t } from '@lingui/core/macro'
import { useIsAdmin, useMay, useMe } from '../access/access.ts'

export const SETTINGS_TABS = [
  { to: '/settings/account', name: t`My account`, for: 'people' },
  { to: '/settings/keys', name: t`API keys`, for: 'manage_keys' },
  { to: '/settings/models', name: t`Models`, for: 'admin' },
  { to: '/settings/members', name: t`Members`, for: 'admin' },
  { to: '/settings/providers', name: t`Sign-in providers`, for: 'admin' },
  { to: '/settings/webhooks', name: t`Webhooks`, for: 'admin' },
  { to: '/settings/integrations', name: t`Integrations`, for: 'all' },
  { to: '/settings/usage', name: t`Usage`, for: 'admin' },
  { to: '/settings/quotas', name: t`Quotas`, for: 'admin' },
  { to: '/settings/audit-log', name: t`Audit log`, for: 'admin' },
  { to: '/settings/streaming', name: t`Streaming test`, for: 'all' },
] as const

/** Tabs that the key's role may see. */
export function useSettingsTabs() {
  const isAdmin = useIsAdmin()
  const isPerson = useMe().data?.member != null
  const sees = { all: true, admin: isAdmin, manage_keys: useMay('manage_keys'), people: isPerson }
  return SETTINGS_TABS.filter((tab) => sees[tab.for])
}
