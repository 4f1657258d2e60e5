import { t } from '@lingui/core/macro'
import { Link, Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { Tabs, tabClass } from '../ui/controls/tabs.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { useSettingsTabs } from './settings-tabs.ts'

/** Frame around each page of the settings. */
export function SettingsPage() {
  const tabs = useSettingsTabs()
  // Each page makes another tab the open one.
  useLocation()
  return (
    <>
      <PageHeader title={t`Settings`} />
      <Tabs label={t`Settings`}>
        {tabs.map(({ to, name }) => (
          <Link key={to} to={to} className={tabClass}>
            {name}
          </Link>
        ))}
      </Tabs>
      <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet">
        <div className="mx-auto max-w-5xl space-y-10 p-4 sm:p-6">
          <Outlet />
        </div>
      </div>
    </>
  )
}

/** First settings page that the key may see. */
export function FirstSettings() {
  const [first] = useSettingsTabs()
  return <Navigate to={first!.to} replace />
}
