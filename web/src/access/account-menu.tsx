import { explain } from '../platform/errors.ts'
import { chooseTheme, useThemeChoice } from '../platform/theme.ts'
import { ChevronDown, Keyboard, LogOut, Monitor, Moon, Sun } from '../ui/icons.ts'
import { Menu, MenuItem } from '../ui/overlays/menu.tsx'
import { toast } from '../ui/overlays/toasts.tsx'
import { useMe } from './access.queries.ts'
import { signOut } from './session.ts'

const THEMES = [
  { choice: 'light', name: 'Light', icon: Sun },
  { choice: 'dark', name: 'Dark', icon: Moon },
  { choice: 'system', name: 'System', icon: Monitor },
] as const

/** Whether the key is named after its role. */
const isRole = ({ name, role }: { name: string; role: string }) => name.toLowerCase() === role

/** Menu with the signed-in key, the theme, the list of keyboard shortcuts and the sign-out button. */
export function AccountMenu({ onShowKeys }: { onShowKeys: () => void }) {
  const { data } = useMe()
  const theme = useThemeChoice()
  return (
    <Menu
      label="Account"
      align="start"
      className="w-60"
      trigger={(props) => (
        <button
          type="button"
          {...props}
          className="flex w-full items-center gap-2.5 rounded-control px-2.5 py-1.5 text-left transition-colors hover:bg-hover"
        >
          <span
            aria-hidden
            className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent"
          >
            {data?.organization.name.slice(0, 1).toUpperCase()}
          </span>
          <span className="min-w-0 flex-1 leading-tight">
            <span className="block truncate font-medium">{data?.organization.name ?? 'Account'}</span>
            <span className="block truncate text-sm text-muted">
              {data && (isRole(data.key) ? data.key.name : `${data.key.name} · ${data.key.role}`)}
            </span>
          </span>
          <ChevronDown size={15} className="text-muted" aria-hidden />
        </button>
      )}
    >
      <p className="px-2.5 pt-1.5 pb-1 text-xs font-semibold text-muted">Theme</p>
      {THEMES.map(({ choice, name, icon }) => (
        <MenuItem key={choice} icon={icon} isChecked={choice === theme} onSelect={() => chooseTheme(choice)}>
          {name}
        </MenuItem>
      ))}
      <hr className="my-1 border-line" />
      <MenuItem icon={Keyboard} shortcut="?" onSelect={onShowKeys}>
        Keys
      </MenuItem>
      <MenuItem
        icon={LogOut}
        onSelect={() =>
          signOut().catch((error) => toast(`You are still signed in. ${explain(error)}`, { isError: true }))
        }
      >
        Sign out
      </MenuItem>
    </Menu>
  )
}
