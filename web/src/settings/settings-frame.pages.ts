// Frame of the settings, which the router loads before any of its pages, and the list of them.
export { useSettingsGroups } from './settings-groups.ts'
export { FirstSettings, SettingsPage } from './settings-page.tsx'
