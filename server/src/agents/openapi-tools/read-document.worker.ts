import { parentPort, workerData } from 'node:worker_threads'
import { dereference, upgrade, validate } from '@scalar/openapi-parser'
import type { ReadDocument } from './api-document.ts'
import { type GivenDocument, operationsOf } from './operations-of.ts'

const MOST_ERRORS = 3
const NO_FIELDS = 'it is neither JSON nor YAML with fields, perhaps a page of HTML'

parentPort!.postMessage(await read(workerData as string))

async function read(text: string): Promise<ReadDocument> {
  // Pages of HTML may pass for YAML, and what its parser says of them helps nobody.
  if (/^\s*<[!?a-z]/i.test(text)) return { problem: wordsOf([{ message: NO_FIELDS }]) }
  try {
    const checked = await validate(text)
    const errors = (checked.errors ?? []).slice(0, MOST_ERRORS)
    if (!checked.valid || !checked.specification) return { problem: wordsOf(errors) }
    const document = dereference(upgrade(checked.specification).specification ?? {}).schema as GivenDocument
    const operations = operationsOf(document)
    if (operations.length === 0) return { problem: 'It describes no operation' }
    return {
      document: {
        title: String(document.info?.title ?? '').slice(0, 200),
        version: String(document.info?.version ?? '').slice(0, 100),
        server: serverOf(document.servers?.[0]),
        operations,
      },
    }
  } catch (error) {
    return { problem: `It could not be read: ${String((error as Error).message).slice(0, 300)}` }
  }
}

function wordsOf(errors: { message: string; path?: string | string[]; code?: string }[]): string {
  const words = errors.map(({ message, path, code }) => {
    if (code === 'EXTERNAL_REFERENCE_NOT_FOUND')
      return `${message} (references to other documents are not followed: bundle them into one)`
    if (message.startsWith("Can't find JSON, YAML")) return NO_FIELDS
    const place = [path ?? ''].flat().join('/')
    return place ? `${place}: ${message}` : message
  })
  return `It is no valid OpenAPI document: ${words.join('; ').slice(0, 600) || 'neither JSON nor YAML'}`
}

/** The first server with the defaults of its variables. */
function serverOf(server: NonNullable<GivenDocument['servers']>[number] | undefined): string | null {
  if (typeof server?.url !== 'string') return null
  return server.url.replaceAll(/\{([^}]*)\}/g, (whole: string, name: string) =>
    String(server.variables?.[name]?.default ?? whole),
  )
}
