// Frame of the settings, which the router loads before any of its pages.
export { FirstSettings, SettingsPage } from './settings-page.tsx'
