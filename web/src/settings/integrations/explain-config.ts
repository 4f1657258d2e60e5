import { t } from '@lingui/core/macro'
import { explainField } from '../../platform/errors.ts'
import type { ConfigField } from './kinds/shared-fields.ts'

/** Sentences of the server about a field that name another one, which the form knows by its label. */
const NAMING: [RegExp, (label: string) => string][] = [
  [/^Must be given with (\w+)/, (label) => t`Fill this in, too, or leave “${label}” empty.`],
  [/^Must be given again, because (\w+) changes$/, (label) => t`Fill this in again: “${label}” changes.`],
  [/^Must be given, or else (connection):/, () => t`Log in at the provider, or fill this in.`],
]

/** Words about a field of a source's configuration, with the labels of the form. @param name of the field */
export function explainConfig(error: unknown, name: string, fields: ConfigField[]): string | null {
  const said = explainField(error, `config.${name}`)
  for (const [pattern, inWords] of NAMING) {
    const other = said && pattern.exec(said)?.[1]
    if (other) return inWords(fields.find((field) => field.name === other)?.label ?? other)
  }
  return said
}
