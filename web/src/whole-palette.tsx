import { useNavigate } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { Palette } from './chats/palette.pages.ts'
import { useSettingsGroups } from './settings/settings-frame.pages.ts'
import { Settings } from './ui/icons.ts'

/** The palette with the pages of the settings, which are listed where the settings are. */
export function WholePalette({ pages, commands, ...rest }: ComponentProps<typeof Palette>) {
  const navigate = useNavigate()
  const aside = pages.find(({ to }) => to === '/settings')?.name
  const settings = useSettingsGroups()
    .flatMap((group) => group.pages)
    .map(({ to, name }) => ({ id: to, icon: Settings, name, aside, go: () => navigate({ to }) }))
  return <Palette {...rest} pages={pages} commands={[...settings, ...commands]} />
}
