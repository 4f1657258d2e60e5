import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Outputs } from '../../agents/agents.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { LinkInvalidError, type SignedLinks } from '../../platform/http/replies/signed-links.ts'
import { deleteOutputsExcept, findOutput, insertOutput, listOutputs, type OutputRecord } from './outputs.store.ts'

export type OutputService = ReturnType<typeof createOutputService>

export interface OutputServiceOptions
  extends Pick<KernelParts, 'blobs' | 'clock' | 'db' | 'newId' | 'queue' | 'writes'> {
  links: SignedLinks
}

export interface OutputPath {
  organization_id: string
  message_id: string
  key: string
}

export interface OutputFile {
  key: string
  fileName: string
  mediaType: string
  sizeBytes: number
  /** Works for a while, without an API key. */
  url: string
}

/** Keys and links of files, as `downloadable_output` has them. */
export const linksOf = (files: OutputFile[] = []): Record<string, string> =>
  Object.fromEntries(files.map(({ key, url }) => [key, url]))

const pathOf = ({ organization_id, message_id, key }: OutputPath): string =>
  `/v1/outputs/${organization_id}/${message_id}/${key}`

const keyOf = (number: number): string => `file_${number}`

/** Files that tools make for the person: stored with the message, fetched by links that need no key. */
export function createOutputService({ db, writes, blobs, queue, newId, clock, links }: OutputServiceOptions) {
  return {
    /** Takes the files of one run. @param before how many an earlier part of it made */
    of(organizationId: string, messageId: string, before = 0): Outputs {
      let count = before
      return {
        count: () => count,
        async add({ fileName, mediaType, content }) {
          count++
          const key = keyOf(count)
          const blobKey = newId()
          const { sizeBytes } = await blobs.put(blobKey, Readable.from([content]))
          await writes.commit((tx) =>
            insertOutput(tx, organizationId, {
              messageId,
              key,
              blobKey,
              fileName,
              mediaType,
              sizeBytes,
              createdAt: isoNow(clock),
            }),
          )
          return { key }
        },
        async read(fileName) {
          const outputs = await listOutputs(db, organizationId, [messageId])
          const output = outputs.findLast((other) => other.fileName === fileName)
          if (!output) return undefined
          return { mediaType: output.mediaType, content: await buffer(await blobs.open(output.blobKey)) }
        },
      }
    },

    /** Removes what a run made after the point from which it restarts. */
    async forgetAfter(organizationId: string, messageId: string, count: number): Promise<void> {
      const kept = Array.from({ length: count }, (_, index) => keyOf(index + 1))
      await writes.commit(async (tx) => {
        const blobKeys = await deleteOutputsExcept(tx, organizationId, messageId, kept)
        if (blobKeys.length > 0) await queue.enqueue(tx, organizationId, 'drive.remove-blobs', { blobKeys })
      })
    },

    /** The files of each message that has any, each with a link, signed now. */
    async listFiles(organizationId: string, messageIds: string[]): Promise<Map<string, OutputFile[]>> {
      if (messageIds.length === 0) return new Map()
      const outputs = await listOutputs(db, organizationId, messageIds)
      return new Map(
        [...Map.groupBy(outputs, (output) => output.messageId)].map(([messageId, own]) => [
          messageId,
          own.map(({ key, fileName, mediaType, sizeBytes }) => ({
            key,
            fileName,
            mediaType,
            sizeBytes,
            url: links.sign(pathOf({ organization_id: organizationId, message_id: messageId, key })),
          })),
        ]),
      )
    },

    /** @throws LinkInvalidError, LinkExpiredError; the first also when the file is gone with its message. */
    async open(path: OutputPath, query: { expires?: string; signature?: string }): Promise<OutputRecord> {
      links.verify(pathOf(path), query)
      const output = await findOutput(db, path.organization_id, path.message_id, path.key)
      if (!output) throw new LinkInvalidError()
      return output
    },
  }
}
