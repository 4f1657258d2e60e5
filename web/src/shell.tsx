import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { AccountMenu, useIsAdmin } from './access/access.ts'
import type { Page } from './chats/chats.ts'
import { useWaitingReviews } from './reviews/reviews.ts'
import { useShellKeys } from './shell-keys.tsx'
import { StrayNote } from './stray-note.tsx'
import { cx } from './ui/class-names.ts'
import { IconButton } from './ui/controls/button.tsx'
import {
  Bot,
  Folder,
  FolderKanban,
  Inbox,
  Menu,
  MessageSquare,
  PanelLeftClose,
  PanelLeftOpen,
  Settings,
  Users,
  X,
} from './ui/icons.ts'
import { foldSidebar, useIsFolded } from './ui/layout/sidebar-fold.ts'
import { SidebarSlot } from './ui/layout/sidebar-slot.tsx'
import { Wordmark } from './ui/layout/wordmark.tsx'
import { Overlay } from './ui/overlays/overlay.tsx'

const allPages = (): (Page & { isForAdmins?: boolean })[] => [
  { to: '/chat', name: t`Chat`, icon: MessageSquare },
  { to: '/projects', name: t`Projects`, icon: FolderKanban },
  { to: '/drive', name: t`Drive`, icon: Folder },
  { to: '/agents', name: t`Agents`, icon: Bot },
  { to: '/inbox', name: t`Inbox`, icon: Inbox },
  { to: '/people', name: t`People`, icon: Users, isForAdmins: true },
  { to: '/settings', name: t`Settings`, icon: Settings },
]

/** Frame of every page: the sidebar, which is a drawer on narrow screens, and the page itself. */
export function Shell({ children }: { children: ReactNode }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const [isOpen, setOpen] = useState(false)
  const isFolded = useIsFolded()
  const { pathname } = useLocation()
  const isAdmin = useIsAdmin()
  const waiting = useWaitingReviews()
  const pages = allPages().filter(({ isForAdmins }) => isAdmin || !isForAdmins)
  const { showKeys, opened } = useShellKeys(pages)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when another page opens.
  useEffect(() => setOpen(false), [pathname])

  useEffect(() => {
    if (!isOpen) return
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [isOpen])

  return (
    <SidebarSlot value={slot}>
      <a
        href="#page"
        className="fixed top-2 start-2 z-50 -translate-y-20 rounded-control bg-accent px-4 py-2 text-on-accent focus:translate-y-0"
      >
        <Trans>Skip to the page</Trans>
      </a>
      <div className="flex h-dvh flex-col md:flex-row">
        <header className="flex h-13 shrink-0 items-center gap-2 px-2 md:hidden">
          <IconButton label={t`Open the menu`} icon={Menu} aria-expanded={isOpen} onClick={() => setOpen(true)} />
          <Wordmark className="text-2xl" />
        </header>
        {isOpen && (
          <div aria-hidden className="fixed inset-0 z-20 bg-veil md:hidden" onPointerDown={() => setOpen(false)} />
        )}
        <aside
          className={cx(
            'fixed inset-y-0 start-0 z-30 flex w-[min(18.5rem,calc(100vw-3rem))] flex-col bg-canvas transition-[translate,visibility] duration-200',
            'md:visible md:static md:w-62 md:translate-none lg:w-68',
            isFolded && 'md:hidden',
            isOpen ? 'shadow-raised' : 'invisible -translate-x-full max-md:rtl:translate-x-full',
          )}
        >
          <div className="flex h-15 shrink-0 items-center justify-between pe-2 ps-5">
            <Link to="/" className="rounded-control">
              <Wordmark className="text-[1.75rem]" />
            </Link>
            <IconButton label={t`Close the menu`} icon={X} className="md:hidden" onClick={() => setOpen(false)} />
            <IconButton
              label={t`Fold the sidebar`}
              icon={PanelLeftClose}
              className="max-md:hidden"
              onClick={() => foldSidebar(true)}
            />
          </div>
          <nav aria-label={t`Sections`} className="flex flex-col gap-0.5 px-2.5">
            {pages.map((page) => (
              <SectionLink key={page.to} page={page} pathname={pathname} waiting={page.to === '/inbox' ? waiting : 0} />
            ))}
          </nav>
          <div ref={setSlot} className="mt-4 flex min-h-0 flex-1 flex-col overflow-y-auto scroll-quiet px-2.5 pb-3" />
          <div className="shrink-0 border-t border-line p-2.5">
            <AccountMenu onShowKeys={showKeys} />
          </div>
        </aside>
        {isFolded && <Rail pages={pages} pathname={pathname} waiting={waiting} />}
        <main
          id="page"
          tabIndex={-1}
          inert={isOpen}
          className="flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden border-line bg-paper outline-none max-md:rounded-t-card max-md:border-t md:my-2 md:me-2 md:rounded-card md:border"
        >
          {children}
        </main>
      </div>
      <Overlay />
      <StrayNote />
      {opened}
    </SidebarSlot>
  )
}

interface RailProps {
  pages: Page[]
  /** Address of the page that is shown. */
  pathname: string
  /** Number of items that wait in the inbox. */
  waiting: number
}

/** Folded sidebar of wide screens: the sections as icons. */
const Rail = ({ pages, pathname, waiting }: RailProps) => (
  <nav aria-label={t`Sections`} className="flex w-13 shrink-0 flex-col items-center gap-1 pt-3.5 max-md:hidden">
    <IconButton label={t`Show the sidebar`} icon={PanelLeftOpen} className="mb-2" onClick={() => foldSidebar(false)} />
    {pages.map(({ to, name, icon: Icon }) => (
      <Link
        key={to}
        to={to}
        title={name}
        aria-label={to === '/inbox' && waiting > 0 ? t`${name} ${waiting} waiting` : name}
        className={cx(
          'relative flex size-9 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-ink pointer-coarse:size-11',
          isWithin(to, pathname) && hereClass,
        )}
        activeProps={here}
      >
        <Icon size={17} aria-hidden />
        {to === '/inbox' && waiting > 0 && (
          <span aria-hidden className="absolute top-1 end-1 size-2 rounded-full bg-accent" />
        )}
      </Link>
    ))}
  </nav>
)

interface SectionLinkProps {
  page: Page
  /** Address of the page that is shown. */
  pathname: string
  /** Number of items that wait there. */
  waiting?: number
}

const hereClass = '!bg-hover !text-ink'
const here = { className: hereClass }

/** Whether the page that is shown belongs to this section, though its address does not begin with that of the section. */
const isWithin = (section: string, pathname: string) => section === '/chat' && /^\/(shared-)?chats\b/.test(pathname)

const SectionLink = ({ page: { to, name, icon: Icon }, pathname, waiting = 0 }: SectionLinkProps) => (
  <Link
    to={to}
    className={cx(
      'flex h-9 items-center gap-3 rounded-control px-2.5 font-medium text-muted transition-colors hover:bg-hover hover:text-ink pointer-coarse:h-11',
      isWithin(to, pathname) && hereClass,
    )}
    activeProps={here}
  >
    <Icon size={17} aria-hidden />
    {name}
    {waiting > 0 && (
      <span className="ms-auto rounded-full bg-accent px-2 text-xs leading-5 font-semibold text-on-accent tabular-nums">
        {waiting}
        <span className="sr-only">
          {' '}
          <Trans>waiting</Trans>
        </span>
      </span>
    )}
  </Link>
)
