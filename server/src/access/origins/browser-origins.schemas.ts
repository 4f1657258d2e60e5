import { z } from 'zod'

const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether it is an origin as browsers send it: exact, and encrypted unless it is this computer. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.origin !== text || text.includes('*')) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.test(url.hostname))
}

const Origins = z
  .array(
    z
      .string()
      .trim()
      .toLowerCase()
      .transform((origin) => origin.replace(/\/$/, ''))
      .refine(isOrigin, 'must be an origin like https://app.example.com: https (http for localhost), no path, no *'),
  )
  .max(50, 'must name at most 50 origins')

export const BrowserOriginList = z
  .strictObject({ origins: Origins })
  .meta({ id: 'BrowserOrigins', description: 'Origins whose pages may call with the token of a virtual user' })

export const WorkspacePath = z.object({ workspace_id: z.string() })
export const BrowserOriginsReply = z.object({ data: z.object({ origins: z.array(z.string()) }) })
