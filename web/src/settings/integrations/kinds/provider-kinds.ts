import { t } from '@lingui/core/macro'
import { type IntegrationKind, interval, login, patterns, rate } from './shared-fields.ts'

/** Kinds of sources at companies that people log in at. */
export const PROVIDER_KINDS: Record<string, IntegrationKind> = {
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
  sharepoint: {
    name: 'SharePoint, OneDrive',
    about: t`Reads a document library of SharePoint, or a OneDrive, by a login or by an app of your organization. Whoever may read the folder here may read all its files.`,
    provider: 'microsoft',
    titleOf: ({ site, user, library, folder }) =>
      [site ?? user ?? 'OneDrive', library, folder].filter((part) => typeof part === 'string').join(' · '),
    fields: [
      {
        name: 'site',
        label: t`Site`,
        hint: t`Its address in the browser; empty for a OneDrive.`,
        type: 'text',
        placeholder: 'https://example.sharepoint.com/sites/team',
      },
      {
        name: 'library',
        label: t`Document library`,
        hint: t`Its name; empty for the site's own.`,
        type: 'text',
      },
      {
        name: 'folder',
        label: t`Folder`,
        hint: t`Only what is in this folder; empty for all.`,
        type: 'text',
        placeholder: 'Handbook/2026',
      },
      login(['tenant', 'client_id', 'client_secret', 'user']),
      {
        name: 'tenant',
        label: t`Tenant`,
        hint: t`Only with an app in the place of a login: id or domain of your organization at Microsoft.`,
        type: 'text',
      },
      { name: 'client_id', label: t`Application ID`, hint: t`Only with an app.`, type: 'text' },
      {
        name: 'client_secret',
        label: t`Client secret`,
        hint: t`Only with an app. Stored encrypted and never shown.`,
        type: 'secret',
        replaces: ['connection'],
      },
      { name: 'user', label: t`OneDrive of`, hint: t`Only with an app: user name of the person.`, type: 'text' },
      ...patterns(),
      interval('900'),
      rate('10'),
    ],
  },
}
