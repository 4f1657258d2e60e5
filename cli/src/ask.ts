// npm run ask -- "QUESTION" [FILES...]: asks the running server, from files if some are named.
import { styleText } from 'node:util'
import { type Docent, DocentError } from '@docent/sdk'
import { chooseAgent, NoAgentError } from './agents.ts'
import { showAnswer, sourceLines } from './answer.ts'
import { type Arguments, readArguments, USAGE, UsageError } from './arguments.ts'
import { ConnectionError, connect, readEnv } from './connection.ts'
import { collect } from './local-files.ts'
import { showProgress } from './progress.ts'
import { type FailedFile, folderOf, synchronize } from './remote-folder.ts'

/** npm goes to the checkout; files are named from where the user was. */
const startedIn = (process.env.npm_lifecycle_event === 'ask' && process.env.INIT_CWD) || process.cwd()

async function main(): Promise<number> {
  const given = readArguments(process.argv.slice(2), startedIn)
  if (!given) return tell(USAGE)
  const prepared = given.paths.length > 0 ? await collect(given.paths) : undefined
  if (prepared?.files.length === 0) throw new UsageError('There are no files in what was named')
  const { client } = await connect(given, readEnv())

  const folder = prepared && { id: await folderOf(client, prepared), name: prepared.name }
  const failed = folder ? await bringIn(client, folder.id, prepared) : []
  for (const { path, reason } of failed) console.error(`${path}: ${reason}`)
  if (prepared && failed.length === prepared.files.length) {
    console.error('None of the files can be read')
    return 1
  }
  const agent = await chooseAgent(client, { agentId: given.agentId, folderId: folder?.id, name: folder?.name })
  if (!prepared && !given.isJson) console.error(styleText('dim', `Asking ${agent.name}`, { stream: process.stderr }))
  return ask(client, agent.id, given, failed)
}

/** Uploads and indexes what is new. Returns the files that failed; the others can be asked about. */
async function bringIn(
  client: Docent,
  folderId: string,
  collection: Awaited<ReturnType<typeof collect>>,
): Promise<FailedFile[]> {
  const total = collection.files.length
  const uploading = showProgress('Uploading', total)
  const { ids, failed } = await synchronize(client, folderId, collection, uploading.update).finally(uploading.end)
  const indexing = showProgress('Indexing', ids.size)
  const indexed = await client.knowledgeBases
    .waitUntilIndexed(folderId, {
      dataSourceIds: [...ids.keys()],
      onProgress: ({ pending }) => indexing.update(ids.size - pending.length, pending[0]?.title),
    })
    .finally(indexing.end)
  const unreadable = indexed.failed.map(({ id, status_reason }) => ({
    path: ids.get(id)!.path,
    reason: status_reason ?? 'It could not be indexed',
  }))
  return [...failed, ...unreadable]
}

async function ask(client: Docent, agentId: string, given: Arguments, failed: FailedFile[]): Promise<number> {
  const chat = await client.chats.create(agentId, { title: titleOf(given.question) })
  const stream = client.chats.stream(agentId, chat.id, { query: given.question })
  const leave = () => process.exit(130)
  process.once('SIGINT', () => {
    client.chats.messages.cancel(agentId, chat.id, stream.messageId).then(leave, leave)
  })
  const { text, citations } = await showAnswer(stream, given.isJson)
  if (given.isJson) {
    const ids = { agent_id: agentId, chat_id: chat.id, message_id: stream.messageId }
    return tell(JSON.stringify({ answer: text, citations, ...ids, failed_files: failed }, null, 2))
  }
  if (citations.length === 0) return 0
  return tell(`\n${styleText('bold', 'Sources')}\n${sourceLines(citations).join('\n')}`)
}

const titleOf = (question: string) =>
  question
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 100)

function tell(text: string): number {
  console.log(text)
  return 0
}

function explain(error: unknown): number {
  const { message } = error as Error
  const isExpected =
    error instanceof NoAgentError || error instanceof DocentError || (error as NodeJS.ErrnoException).code === 'ENOENT'
  console.error(error instanceof UsageError || error instanceof ConnectionError || isExpected ? message : error)
  if (error instanceof UsageError) console.error(USAGE.split('\n')[0])
  return error instanceof UsageError ? 2 : error instanceof ConnectionError ? 3 : 1
}

// A reader of the output may close the pipe: `npm run ask -- ... | head`.
process.stdout.on('error', () => process.exit(0))
process.exitCode = await main().catch(explain)
