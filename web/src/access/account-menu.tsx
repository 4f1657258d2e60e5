import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { explain } from '../platform/errors.ts'
import { chooseLanguage } from '../platform/language.ts'
import { chooseTheme, useThemeChoice } from '../platform/theme.ts'
import {
  ArrowLeftRight,
  ChevronDown,
  Keyboard,
  Languages,
  LogOut,
  Monitor,
  Moon,
  Sun,
  UserRound,
  Volume2,
} from '../ui/icons.ts'
import { Menu, MenuItem } from '../ui/overlays/menu.tsx'
import { toast } from '../ui/overlays/toasts.tsx'
import { unawaited } from '../ui/unawaited.ts'
import { useAccount, useMe } from './access.queries.ts'
import { LanguageDialog } from './language/choose-language.ts'
import { PersonFace } from './people/person-face.tsx'
import { roleName } from './role-name.ts'
import { chooseWorkspace, signOut } from './session/session.ts'
import { VoiceDialog } from './voice/choose-voice.ts'

/** Choices of the theme. */
const themes = () =>
  [
    { choice: 'light', name: t`Light`, icon: Sun },
    { choice: 'dark', name: t`Dark`, icon: Moon },
    { choice: 'system', name: t`System`, icon: Monitor },
  ] as const

/** Whether the key is named after its role. */
const isRole = ({ name, role }: { name: string; role: string }) => name.toLowerCase() === role

/**
 * Menu with the person or key that is signed in, the other workspaces, the theme, the list of keyboard shortcuts and
 * the sign-out button.
 */
export function AccountMenu({ onShowKeys }: { onShowKeys: () => void }) {
  const { data } = useMe()
  const navigate = useNavigate()
  const theme = useThemeChoice()
  const member = data?.member ?? null
  const { data: account } = useAccount(member !== null)
  const others = account?.memberships.filter(({ is_current }) => !is_current) ?? []
  const name = member?.name ?? data?.organization.name
  const [isChoosing, setChoosing] = useState<'language' | 'voice' | null>(null)
  const language = account?.language
  // Another browser of theirs may have chosen another one.
  useEffect(() => {
    if (language) chooseLanguage(language)
  }, [language])
  return (
    <>
      <Menu
        label={t`Account`}
        align="start"
        className="w-60"
        trigger={(props) => (
          <button
            type="button"
            {...props}
            className="flex w-full items-center gap-2.5 rounded-control px-2.5 py-1.5 text-start transition-colors hover:bg-hover"
          >
            <PersonFace name={name ?? ''} id={member?.id} pictureUrl={member?.picture_url} />
            <span className="min-w-0 flex-1 leading-tight">
              <span className="block truncate font-medium">{name ?? t`Account`}</span>
              <span className="block truncate text-sm text-muted">
                {data && member && `${data.organization.name} · ${data.workspace.name}`}
                {data &&
                  !member &&
                  (isRole(data.key) ? roleName(data.key.role) : `${data.key.name} · ${roleName(data.key.role)}`)}
              </span>
            </span>
            <ChevronDown size={15} className="text-muted" aria-hidden />
          </button>
        )}
      >
        {member && (
          <MenuItem icon={UserRound} onSelect={() => unawaited(navigate({ to: '/settings/account' }))}>
            <Trans>My account</Trans>
          </MenuItem>
        )}
        {others.length > 0 && (
          <p className="px-2.5 pt-1.5 pb-1 text-xs font-semibold text-muted">
            <Trans>Other workspaces</Trans>
          </p>
        )}
        {others.map(({ workspace, organization }) => (
          <MenuItem
            key={workspace.id}
            icon={ArrowLeftRight}
            onSelect={() =>
              chooseWorkspace(workspace.id).catch((error) =>
                toast(t`You are still in this workspace. ${explain(error)}`, { isError: true }),
              )
            }
          >
            {organization.name} · {workspace.name}
          </MenuItem>
        ))}
        {member && <hr className="my-1 border-line" />}
        <p className="px-2.5 pt-1.5 pb-1 text-xs font-semibold text-muted">
          <Trans>Theme</Trans>
        </p>
        {themes().map(({ choice, name, icon }) => (
          <MenuItem key={choice} icon={icon} isChecked={choice === theme} onSelect={() => chooseTheme(choice)}>
            {name}
          </MenuItem>
        ))}
        <hr className="my-1 border-line" />
        <MenuItem icon={Languages} onSelect={() => setChoosing('language')}>
          <Trans>Language</Trans>
        </MenuItem>
        <MenuItem icon={Volume2} onSelect={() => setChoosing('voice')}>
          <Trans>Voice</Trans>
        </MenuItem>
        <MenuItem icon={Keyboard} shortcut="?" onSelect={onShowKeys}>
          <Trans>Keys</Trans>
        </MenuItem>
        <MenuItem
          icon={LogOut}
          onSelect={() =>
            signOut().catch((error) => toast(t`You are still signed in. ${explain(error)}`, { isError: true }))
          }
        >
          <Trans>Sign out</Trans>
        </MenuItem>
      </Menu>
      {isChoosing === 'language' && <LanguageDialog onClose={() => setChoosing(null)} />}
      {isChoosing === 'voice' && <VoiceDialog onClose={() => setChoosing(null)} />}
    </>
  )
}
