import { t } from '@lingui/core/macro'
/** Field of a kind's configuration. */
export interface ConfigField {
  name: string
  label: string
  hint: string
  type: 'text' | 'number' | 'list'
  isRequired?: boolean
  placeholder?: string
}

/** Kinds of sources that can be linked to a folder. */
export const INTEGRATION_KINDS: Record<string, { name: string; about: string; fields: ConfigField[] }> = {
  directory: {
    name: t`Folder of the server`,
    about: t`Reads a folder on the machine that runs Docent, below one of DOCENT_DIRECTORY_ROOTS.`,
    fields: [
      {
        name: 'path',
        label: t`Path`,
        hint: t`Absolute path on the server.`,
        type: 'text',
        isRequired: true,
        placeholder: '/srv/documents',
      },
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
      {
        name: 'interval_seconds',
        label: t`Sync interval`,
        hint: t`Seconds between syncs.`,
        type: 'number',
        placeholder: '300',
      },
    ],
  },
}

/** Configuration for the API, without empty fields. */
export function toConfig(fields: ConfigField[], values: Record<string, string>): Record<string, unknown> {
  const filled = fields.flatMap(({ name, type }): [string, unknown][] => {
    const value = values[name]?.trim()
    if (!value) return []
    if (type === 'number') return [[name, Number(value)]]
    return [
      [
        name,
        type === 'list'
          ? value
              .split(',')
              .map((one) => one.trim())
              .filter(Boolean)
          : value,
      ],
    ]
  })
  return Object.fromEntries(filled)
}
