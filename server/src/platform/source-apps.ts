import { z } from 'zod'

export const SOURCE_PROVIDERS = ['google', 'microsoft', 'notion', 'atlassian', 'slack'] as const

/** Company at which people log in, so that documents of theirs are read. */
export type SourceProvider = (typeof SOURCE_PROVIDERS)[number]

const text = () => z.string().trim().min(1, 'must not be empty').max(300, 'must have at most 300 characters')
const address = () =>
  z
    .string()
    .max(2048)
    .refine((url) => /^https?:\/\/[^?#]+$/i.test(url) && URL.canParse(url), 'must be an address without a query')

const App = z.strictObject({
  provider: z.enum(SOURCE_PROVIDERS),
  client_id: text(),
  client_secret: text(),
  /** Organization whose people may log in, by its id or domain; of Microsoft. */
  tenant: z
    .string()
    .regex(/^[\w.-]{1,255}$/, 'must be the id or the domain of a tenant')
    .optional(),
  /** Addresses in the place of the provider's own, for a proxy. */
  authorize_url: address().optional(),
  token_url: address().optional(),
})

/** Fields of an app, as its operator or an admin gives them. */
export const SOURCE_APP_FIELDS = App.shape

const Apps = z
  .array(App)
  .refine((all) => new Set(all.map(({ provider }) => provider)).size === all.length, 'must hold each provider once')

/** This installation as a provider of documents knows it. */
export type SourceApp = z.infer<typeof App>

/** Reads a JSON array of apps. @throws Error in an operator's words, which never repeat a secret */
export function parseSourceApps(text: string): SourceApp[] {
  if (text.trim() === '') return []
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new Error('must be a JSON array of apps: see docs/source-logins.md')
  }
  const { data, error } = Apps.safeParse(given)
  if (data) return data
  const [issue] = error.issues
  throw new Error(`${issue?.path.join('.') || 'the list'}: ${issue?.message}`)
}
