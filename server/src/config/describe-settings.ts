import { adminCommand, startCommand } from '../platform/host/commands.ts'
import { type Setting, settings } from './settings.ts'

const groups = (): [string, [string, Setting][]][] => {
  const byGroup = new Map<string, [string, Setting][]>()
  for (const [name, setting] of Object.entries(settings) as [string, Setting][]) {
    byGroup.set(setting.group, [...(byGroup.get(setting.group) ?? []), [name, setting]])
  }
  return [...byGroup]
}

/** Text of `npm start -- --help`. */
export function settingsHelp(): string {
  const lines = ['Docent: a self-hosted service for AI agents that answer from your documents.', '']
  lines.push(
    `${startCommand()} serves; ${startCommand('--version')} says which version it is. Settings come from the environment and from .env; secrets also from the file NAME_FILE.`,
  )
  for (const [group, entries] of groups()) {
    lines.push('', group)
    for (const [name, { about, default: byDefault }] of entries) {
      lines.push(`  ${name}${byDefault ? `  [${byDefault}]` : ''}`, `      ${about}`)
    }
  }
  return lines.join('\n').replaceAll('npm run admin -- ', adminCommand(''))
}

/** The text of docs/settings.md. */
export function settingsMarkdown(): string {
  const lines = [
    '# Settings',
    '',
    '<!-- Made by `npm run generate` from server/src/config/settings.ts: change it there. -->',
    '',
    'Settings come from the environment and from an optional `.env` file in the folder where `npm start` runs; the environment wins. They are',
    'checked at start: an unknown name that begins with `DOCENT_`, or a value that makes no sense, stops the start with one line that says what to do.',
    'A setting marked *secret* can also be given as a file: `NAME_FILE=/path/to/file`.',
  ]
  for (const [group, entries] of groups()) {
    lines.push('', `## ${group}`, '', '| setting | default | what it does |', '| --- | --- | --- |')
    for (const [name, { about, default: byDefault, isSecret }] of entries) {
      lines.push(`| \`${name}\`${isSecret ? ' (secret)' : ''} | ${byDefault ? `\`${byDefault}\`` : '–'} | ${about} |`)
    }
  }
  return `${lines.join('\n')}\n`
}
