import { t } from '@lingui/core/macro'

/** Field of a kind's configuration. */
export interface ConfigField {
  name: string
  label: string
  hint: string
  type: 'text' | 'number' | 'list' | 'secret' | 'choice' | 'switch'
  isRequired?: boolean
  /** Whether a switch is on where nothing is said. */
  isOn?: boolean
  placeholder?: string
  /** Texts of a choice by value; the first is the default. */
  options?: Record<string, string>
  /** Whether a login gives its value. */
  isLogin?: boolean
  /** Fields that are taken back once this one is given. */
  replaces?: string[]
}

/** Patterns that choose among the files of a source. */
export const patterns = (): ConfigField[] => [
  {
    name: 'include',
    label: t`Include files`,
    hint: t`Patterns, separated by commas; empty for all files.`,
    type: 'list',
    placeholder: '*.md, reports/**',
  },
  {
    name: 'exclude',
    label: t`Exclude files`,
    hint: t`Patterns, separated by commas.`,
    type: 'list',
    placeholder: '*.tmp, drafts/**',
  },
]

export const interval = (placeholder: string): ConfigField => ({
  name: 'interval_seconds',
  label: t`Sync interval`,
  hint: t`Seconds between syncs.`,
  type: 'number',
  placeholder,
})

export const rate = (placeholder: string): ConfigField => ({
  name: 'requests_per_second',
  label: t`Requests per second`,
  hint: t`Maximum number sent to the source.`,
  type: 'number',
  placeholder,
})

/** Switch of sources that say who may read what. */
export const accessLists = (): ConfigField => ({
  name: 'obey_access',
  label: t`Obey its access lists`,
  hint: t`Of those who may read the folder here, only who may read an item at the source may read it here.`,
  type: 'switch',
  isOn: true,
})

/** The id of a login at the provider of the kind. */
export const login = (replaces: string[] = []): ConfigField => ({
  name: 'connection',
  label: '',
  hint: '',
  type: 'secret',
  isLogin: true,
  replaces,
})

export interface IntegrationKind {
  name: string
  /** Provider at which people log in to read it; the id of the login is the field `connection`. */
  provider?: string
  about: string
  fields: ConfigField[]
  /** Says in a list which source it is. */
  titleOf: (config: Record<string, unknown>) => string
}
