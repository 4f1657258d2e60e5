import { t } from '@lingui/core/macro'
/** Field of a kind's configuration. */
export interface ConfigField {
  name: string
  label: string
  hint: string
  type: 'text' | 'number' | 'list' | 'secret' | 'choice' | 'switch'
  isRequired?: boolean
  placeholder?: string
  /** Texts of a choice by value; the first is the default. */
  options?: Record<string, string>
  /** Whether a login gives its value. */
  isLogin?: boolean
  /** Fields that are taken back once this one is given. */
  replaces?: string[]
}

const patterns = (): ConfigField[] => [
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

const interval = (placeholder: string): ConfigField => ({
  name: 'interval_seconds',
  label: t`Sync interval`,
  hint: t`Seconds between syncs.`,
  type: 'number',
  placeholder,
})

const rate = (placeholder: string): ConfigField => ({
  name: 'requests_per_second',
  label: t`Requests per second`,
  hint: t`At most so many are sent to the source.`,
  type: 'number',
  placeholder,
})

/** The id of a login at the provider of the kind. */
const login = (replaces: string[] = []): ConfigField => ({
  name: 'connection',
  label: '',
  hint: '',
  type: 'secret',
  isLogin: true,
  replaces,
})

interface IntegrationKind {
  name: string
  /** Provider at which people log in to read it; the id of the login is the field `connection`. */
  provider?: string
  about: string
  fields: ConfigField[]
  /** Says in a list which source it is. */
  titleOf: (config: Record<string, unknown>) => string
}

/** Kinds of sources that can be linked to a folder. */
export const INTEGRATION_KINDS: Record<string, IntegrationKind> = {
  directory: {
    name: t`Folder of the server`,
    about: t`Reads a folder on the machine that runs Docent, below one of DOCENT_DIRECTORY_ROOTS.`,
    titleOf: ({ path }) => String(path),
    fields: [
      {
        name: 'path',
        label: t`Path`,
        hint: t`Absolute path on the server.`,
        type: 'text',
        isRequired: true,
        placeholder: '/srv/documents',
      },
      ...patterns(),
      interval('300'),
    ],
  },
  s3: {
    name: t`S3 bucket`,
    about: t`Reads the objects of a bucket, at AWS or at any compatible storage.`,
    titleOf: ({ bucket, prefix }) => (prefix ? `${bucket}/${prefix}` : String(bucket)),
    fields: [
      { name: 'bucket', label: t`Bucket`, hint: t`Name of the bucket.`, type: 'text', isRequired: true },
      {
        name: 'prefix',
        label: t`Prefix`,
        hint: t`Only objects whose key begins so; empty for all.`,
        type: 'text',
        placeholder: 'handbook/',
      },
      {
        name: 'endpoint',
        label: t`Endpoint`,
        hint: t`Address of the storage; empty for AWS.`,
        type: 'text',
        placeholder: 'https://storage.example.com',
      },
      { name: 'region', label: t`Region`, hint: t`Region of the bucket.`, type: 'text', placeholder: 'us-east-1' },
      {
        name: 'access_key_id',
        label: t`Access key ID`,
        hint: t`Empty for a bucket that everyone may read.`,
        type: 'text',
      },
      {
        name: 'secret_access_key',
        label: t`Secret access key`,
        hint: t`Stored encrypted and never shown.`,
        type: 'secret',
      },
      ...patterns(),
      interval('900'),
      rate('20'),
    ],
  },
  web: {
    name: t`Web site`,
    about: t`Reads the pages of a web site: their main text, without menus. It obeys robots.txt.`,
    titleOf: ({ url }) => String(url),
    fields: [
      {
        name: 'url',
        label: t`Address`,
        hint: t`Page to begin with; others of the same host below its folder belong to the site.`,
        type: 'text',
        isRequired: true,
        placeholder: 'https://www.example.com/handbook/',
      },
      {
        name: 'discover',
        label: t`Find pages by`,
        hint: t`A sitemap is a list of pages that the site publishes.`,
        type: 'choice',
        options: { links: t`Links`, sitemap: t`Sitemap` },
      },
      {
        name: 'sitemaps',
        label: t`Sitemaps`,
        hint: t`Addresses, separated by commas; empty for those that robots.txt names. Only where pages are found by sitemap.`,
        type: 'list',
        placeholder: 'https://www.example.com/sitemap.xml',
      },
      {
        name: 'path_prefix',
        label: t`Only below`,
        hint: t`Beginning of the paths that belong to it; empty for the folder of the address.`,
        type: 'text',
        placeholder: '/handbook/',
      },
      {
        name: 'max_depth',
        label: t`Depth`,
        hint: t`Links from the first page to the last one, at most.`,
        type: 'number',
        placeholder: '10',
      },
      {
        name: 'max_pages',
        label: t`Pages`,
        hint: t`At most so many are read in a sync.`,
        type: 'number',
        placeholder: '500',
      },
      {
        name: 'documents',
        label: t`PDF and Office files, too`,
        hint: t`Files that its pages link to, on the same host.`,
        type: 'switch',
      },
      ...patterns(),
      interval('86400'),
      rate('2'),
    ],
  },
  git: {
    name: t`Git repository`,
    about: t`Reads the files of one branch, over HTTPS.`,
    titleOf: ({ url, path }) => (path ? `${url} ${path}` : String(url)),
    fields: [
      {
        name: 'url',
        label: t`Address`,
        hint: t`Address that the repository is cloned from.`,
        type: 'text',
        isRequired: true,
        placeholder: 'https://git.example.com/team/handbook.git',
      },
      { name: 'branch', label: t`Branch`, hint: t`Empty for the main branch.`, type: 'text', placeholder: 'main' },
      {
        name: 'path',
        label: t`Folder`,
        hint: t`Only what is in this folder of the repository; empty for all.`,
        type: 'text',
        placeholder: 'docs/',
      },
      {
        name: 'username',
        label: t`User name`,
        hint: t`Empty where the server asks only for a token.`,
        type: 'text',
      },
      {
        name: 'token',
        label: t`Access token`,
        hint: t`Empty for a public repository. Stored encrypted and never shown.`,
        type: 'secret',
      },
      ...patterns(),
      interval('900'),
      rate('10'),
    ],
  },
  imap: {
    name: t`Mail folders (IMAP)`,
    about: t`Reads the messages of a mailbox with their attachments, folder by folder.`,
    titleOf: ({ username, host }) => `${username} · ${host}`,
    fields: [
      {
        name: 'host',
        label: t`Mail server`,
        hint: t`Name of the IMAP server.`,
        type: 'text',
        isRequired: true,
        placeholder: 'imap.example.com',
      },
      { name: 'port', label: t`Port`, hint: t`Empty for the usual one.`, type: 'number', placeholder: '993' },
      {
        name: 'security',
        label: t`Encryption`,
        hint: t`Without it, the password can be read on the way.`,
        type: 'choice',
        options: { tls: 'TLS', starttls: 'STARTTLS', none: t`None` },
      },
      { name: 'username', label: t`User name`, hint: t`Often the address.`, type: 'text', isRequired: true },
      {
        name: 'password',
        label: t`Password`,
        hint: t`Where the server asks for one: an app password. Stored encrypted and never shown.`,
        type: 'secret',
      },
      {
        name: 'mailboxes',
        label: t`Mail folders`,
        hint: t`Each with all below it, separated by commas; empty for all but trash, junk and drafts.`,
        type: 'list',
        placeholder: 'INBOX, Projects/Lighthouse',
      },
      {
        name: 'since',
        label: t`Messages since`,
        hint: t`Only those that came on this day or later; empty for all.`,
        type: 'text',
        placeholder: '2026-01-31',
      },
      ...patterns(),
      interval('900'),
      rate('20'),
    ],
  },
  google_drive: {
    name: t`Google Drive`,
    about: t`Reads a folder of Google Drive, or a shared drive, by a login or by a service account that it is shared with. Whoever may read the folder here may read all its files.`,
    provider: 'google',
    titleOf: ({ folder }) => String(folder),
    fields: [
      {
        name: 'folder',
        label: t`Folder`,
        hint: t`Its address in the browser, or its id.`,
        type: 'text',
        isRequired: true,
        placeholder: 'https://drive.google.com/drive/folders/…',
      },
      login(['credentials', 'impersonate']),
      {
        name: 'credentials',
        label: t`Key of the service account`,
        hint: t`The whole JSON file that Google's console gives, in the place of a login. Stored encrypted and never shown.`,
        type: 'secret',
        replaces: ['connection'],
      },
      {
        name: 'impersonate',
        label: t`Read as`,
        hint: t`Only with a service account: e-mail address of a person of your domain; empty for the account itself.`,
        type: 'text',
      },
      ...patterns(),
      interval('900'),
      rate('5'),
    ],
  },
  notion: {
    name: 'Notion',
    about: t`Reads the pages and databases of Notion that who connects it chooses. Whoever may read the folder here may read all its files.`,
    provider: 'notion',
    titleOf: () => 'notion.so',
    fields: [
      login(['token']),
      {
        name: 'token',
        label: t`Access token`,
        hint: t`Token of an internal integration of Notion, in the place of a login. Stored encrypted and never shown.`,
        type: 'secret',
        replaces: ['connection'],
      },
      ...patterns(),
      interval('900'),
      rate('3'),
    ],
  },
  webdav: {
    name: t`WebDAV folder`,
    about: t`Reads a folder of a WebDAV server, such as Nextcloud.`,
    titleOf: ({ url }) => String(url),
    fields: [
      {
        name: 'url',
        label: t`Address`,
        hint: t`WebDAV address of the folder.`,
        type: 'text',
        isRequired: true,
        placeholder: 'https://cloud.example.com/remote.php/dav/files/ada/Documents',
      },
      { name: 'username', label: t`User name`, hint: t`Empty for a folder that everyone may read.`, type: 'text' },
      { name: 'password', label: t`Password`, hint: t`Stored encrypted and never shown.`, type: 'secret' },
      ...patterns(),
      interval('900'),
      rate('10'),
    ],
  },
}

/** A configuration as the form's fields hold it; secrets stay empty. */
export const toValues = (fields: ConfigField[], config: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ name, type }) => {
      const value = config[name]
      if (value === undefined || value === null || type === 'secret') return []
      return [[name, Array.isArray(value) ? value.join(', ') : String(value)]]
    }),
  )

export const withoutSecrets = (fields: ConfigField[], values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ name, type }) => (type !== 'secret' && values[name] ? [[name, values[name]]] : [])),
  )

/**
 * Configuration for the API, without empty fields.
 * @param isChange whether empty fields are sent as null, which takes them back to their default; secrets stay
 */
export function toConfig(
  fields: ConfigField[],
  values: Record<string, string>,
  { isChange = false } = {},
): Record<string, unknown> {
  const given = fields.filter(({ name }) => values[name]?.trim())
  const replaced = isChange ? given.flatMap(({ replaces = [] }) => replaces) : []
  const filled = fields.flatMap(({ name, type }): [string, unknown][] => {
    const value = values[name]?.trim()
    if (!value && replaced.includes(name)) return [[name, null]]
    if (!value) return isChange && type !== 'secret' ? [[name, null]] : []
    if (type === 'number') return [[name, Number(value)]]
    if (type === 'switch') return [[name, value === 'true']]
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
