import { t } from '@lingui/core/macro'
import { Link, Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { useCallback } from 'react'
import { cx } from '../ui/class-names.ts'
import { Tabs, tabClass } from '../ui/controls/tabs.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { useIsFolded } from '../ui/layout/sidebar-fold.ts'
import { SidebarContent, SidebarHeading } from '../ui/layout/sidebar-slot.tsx'
import { useSettingsGroups } from './settings-groups.ts'

/** Frame around each page of the settings: its pages are in the sidebar, or in tabs where there is none. */
export function SettingsPage() {
  const groups = useSettingsGroups()
  const isFolded = useIsFolded()
  // Each page makes another tab the open one.
  const { pathname } = useLocation()
  // The last pages of the list are below the edge of low windows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page makes another entry the open one
  const showOpen = useCallback(
    (nav: HTMLElement | null) => nav?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' }),
    [pathname],
  )
  return (
    <>
      <SidebarContent>
        <nav ref={showOpen} aria-label={t`Settings`} className="space-y-3">
          {groups.map(({ name, pages }) => (
            <div key={name}>
              <SidebarHeading>{name}</SidebarHeading>
              <ul>
                {pages.map(({ to, name }) => (
                  <li key={to}>
                    <Link to={to} className={pageClass} activeProps={{ className: 'bg-hover' }}>
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </SidebarContent>
      <PageHeader title={t`Settings`} />
      <div className={cx('contents', !isFolded && 'md:hidden')}>
        <Tabs label={t`Settings`}>
          {groups
            .flatMap(({ pages }) => pages)
            .map(({ to, name }) => (
              <Link key={to} to={to} className={tabClass}>
                {name}
              </Link>
            ))}
        </Tabs>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet">
        <div className="in-order mx-auto max-w-5xl space-y-10 p-4 sm:p-6">
          <Outlet />
        </div>
      </div>
    </>
  )
}

const pageClass = 'block truncate rounded-control px-2.5 py-1.5 hover:bg-hover pointer-coarse:py-2.5'

/** First settings page that the key may see. */
export function FirstSettings() {
  const [first] = useSettingsGroups()
  return <Navigate to={first!.pages[0]!.to} replace />
}
