import type { FileReaders, ListedReaders } from '@docent/sdk'

/** Readers of a file as a person writes them: e-mails, names of groups, and domains after an @. */
export const toNames = ({ emails, groups, domains }: ListedReaders): string[] => [
  ...emails,
  ...groups,
  ...domains.map((domain) => `@${domain}`),
]

export const fromNames = (names: readonly string[]): Required<FileReaders> => ({
  emails: names.filter((name) => name.indexOf('@') > 0),
  groups: names.filter((name) => !name.includes('@')),
  domains: names.filter((name) => name.startsWith('@')).map((name) => name.slice(1)),
})
