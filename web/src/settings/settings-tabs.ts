import { useIsAdmin, useMay, useMe } from '../access/access.ts'

export const SETTINGS_TABS = [
  { to: '/settings/account', name: 'My account', for: 'people' },
  { to: '/settings/keys', name: 'API keys', for: 'manage_keys' },
  { to: '/settings/members', name: 'Members', for: 'admin' },
  { to: '/settings/providers', name: 'Sign-in providers', for: 'admin' },
  { to: '/settings/webhooks', name: 'Webhooks', for: 'admin' },
  { to: '/settings/integrations', name: 'Integrations', for: 'all' },
  { to: '/settings/usage', name: 'Usage', for: 'admin' },
  { to: '/settings/quotas', name: 'Quotas', for: 'admin' },
  { to: '/settings/audit-log', name: 'Audit log', for: 'admin' },
  { to: '/settings/streaming', name: 'Streaming test', for: 'all' },
] as const

/** Tabs that the key's role may see. */
export function useSettingsTabs() {
  const isAdmin = useIsAdmin()
  const isPerson = useMe().data?.member != null
  const sees = { all: true, admin: isAdmin, manage_keys: useMay('manage_keys'), people: isPerson }
  return SETTINGS_TABS.filter((tab) => sees[tab.for])
}
