import { type Caller, listGrantedFolders } from '../../access/access.ts'
import type { MemoryService } from '../../agents/agents.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Db } from '../../db.ts'
import { documentsOfPerson, type MadeZipEntry, type ZipEntry, zipNames, zipStream } from '../../drive/drive.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { snakeCased } from '../../platform/database/statements/camel-cased.ts'
import { type PageOf, readPages } from '../../platform/database/statements/read-pages.ts'
import { dollarsOf } from '../../usage/usage.ts'
import type { UserService } from '../../users/users.ts'
import { listFilesOfMessages } from '../messages/message-files.store.ts'
import { listOutputs } from '../outputs/outputs.store.ts'
import { made, type Next, type Show, writeLines } from './export-lines.ts'
import { findUsage } from './people.store.ts'
import {
  chatsToExport,
  countExport,
  type ExportOf,
  type ExportPlace,
  messagesToExport,
  placesToExport,
} from './person-export.store.ts'

export interface PersonExportOptions extends Pick<KernelParts, 'blobs' | 'clock' | 'db' | 'writes'> {
  users: Pick<UserService, 'get'>
  memories: Pick<MemoryService, 'list'>
}

export type PersonExport = ReturnType<typeof createPersonExport>

/** Export of all that is kept about a virtual user; docs/virtual-user-export.md describes the archive. */
export function createPersonExport({ db, writes, clock, blobs, users, memories }: PersonExportOptions) {
  /**
   * A ZIP archive that is made while it is read.
   * @throws VirtualUserNotFoundError
   */
  return async function exportPerson(caller: Caller, id: string, range: { from?: string; to?: string }) {
    const user = await users.get(caller, id)
    const { organizationId, memberId } = caller
    const of: ExportOf = { organizationId, virtualUserId: user.id, memberId, ...range }
    const { messages, leftOut } = await countExport(db, of)
    const at = isoNow(clock)
    const about = {
      format: 'docent-virtual-user',
      version: 1,
      exported_at: at,
      from: range.from ?? null,
      to: range.to ?? null,
      messages,
      messages_left_out: leftOut,
    }
    await writes.commit((tx) =>
      recordAudit(tx, caller, {
        action: 'virtual_user.exported',
        at,
        target: { type: 'virtual_user', id: user.id },
        details: { ...range, messages },
      }),
    )
    const { metadata, nameKey: _, originKey: __, emailKey: ___, ...profile } = user
    const whole = (name: string, value: unknown) => made(name, [`${JSON.stringify(value, null, 2)}\n`], at)
    const lines = <Row extends Place, Place>(name: string, next: Next<Row, Place>, show: Show<Row>) =>
      made(name, writeLines(next, show), at)

    async function* entries(): AsyncGenerator<ZipEntry | MadeZipEntry> {
      yield whole('about.json', about)
      yield whole('profile.json', { ...snakeCased(profile), metadata: JSON.parse(metadata) })
      const granted = await listGrantedFolders(db, organizationId, user.id)
      yield whole('grants.json', { knowledge_base_ids: granted })
      yield whole('usage.json', await findUsage(db, organizationId, user.id))
      yield made('memories.jsonl', memoryLines(), at)
      yield lines('chats.jsonl', (page: PageOf<{ id: string }>) => chatsToExport(db, of, page), withMetadata)
      yield lines('messages.jsonl', (page: PageOf<ExportPlace>) => messagesToExport(db, of, page), withFiles)
      yield lines(
        'documents.jsonl',
        ({ after, limit }: PageOf<{ id: string }>) =>
          documentsOfPerson(db, organizationId, user.id, { after: after?.id ?? '', limit }),
        same,
      )
      yield* fileEntries()
    }

    async function* memoryLines() {
      for (let page = 1; ; page++) {
        const found = await memories.list(caller, user.id, { page, page_size: 200 })
        for (const { organizationId: _, topicKey: __, memberId: ___, ...memory } of found.memories)
          yield `${JSON.stringify(snakeCased(memory))}\n`
        if (page * 200 >= found.total) return
      }
    }

    async function* fileEntries(): AsyncGenerator<ZipEntry> {
      for await (const messages of readPages((page: PageOf<ExportPlace>) => placesToExport(db, of, page), 200))
        yield* await findFiles(db, of, messages, at)
    }

    async function withFiles(rows: Awaited<ReturnType<typeof messagesToExport>>) {
      const files = Map.groupBy(await findFiles(db, of, rows, at), ({ messageId }) => messageId)
      return rows.map(
        ({ citations, quick_action_fields: fields, cost_micros: cost, is_pinned, output_count: _, ...row }) => ({
          ...row,
          is_pinned: is_pinned === 1,
          cost_usd: dollarsOf(cost),
          citations: JSON.parse(citations),
          quick_action_fields_with_values: JSON.parse(fields),
          files: (files.get(row.id) ?? []).map(({ name }) => name),
        }),
      )
    }

    return { email: user.email, archive: zipStream(entries(), (key) => blobs.open(key)) }
  }
}

/** Files that came with messages, and those that agents made, each under its path in the archive. */
async function findFiles(db: Db, { organizationId }: ExportOf, messages: { id: string }[], modifiedAt: string) {
  const ids = messages.map(({ id }) => id)
  const sent = (await listFilesOfMessages(db, organizationId, ids)).map((file) => ({ ...file, from: 'sent' }))
  const outputs = (await listOutputs(db, organizationId, ids)).map((file) => ({ ...file, from: 'made' }))
  return [...Map.groupBy([...sent, ...outputs], (file) => `${file.messageId}/${file.from}`)].flatMap(
    ([folder, files]) => {
      const names = zipNames(files.map(({ fileName }) => ({ title: fileName, fileName })))
      return files.map(({ messageId, blobKey, sizeBytes, mediaType }, index) => {
        return { messageId, name: `files/${folder}/${names[index]}`, blobKey, sizeBytes, mediaType, modifiedAt }
      })
    },
  )
}

const withMetadata = <T extends { metadata: string }>(rows: T[]) =>
  rows.map(({ metadata, ...row }) => ({ ...row, metadata: JSON.parse(metadata) }))

const same = <T>(rows: T[]) => rows
