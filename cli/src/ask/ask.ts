import { resolve } from 'node:path'
import { styleText } from 'node:util'
import type { Docent } from '@docent/sdk'
import type { Command } from 'commander'
import { EXIT, usageError } from '../failures.ts'
import { openSession, type Session, startedIn } from '../session.ts'
import { showProgress } from '../terminal/progress.ts'
import { showAnswer, sourceLines } from './answer.ts'
import { chooseAgent } from './choose-agent.ts'
import { collect } from './local-files.ts'
import { type FailedFile, getFolder, synchronize } from './remote-folder.ts'

/** Adds `docent ask`. */
export const addAsk = (program: Command) =>
  program
    .command('ask')
    .description('answer a question, from your files if you name some: they are uploaded once, and cited')
    .argument('[question]', 'the question, in quotes')
    .argument('[files...]', 'files and folders to answer from')
    .option('-a, --agent <agent>', 'id or name of the agent; files are added to what it answers from')
    .action(async (question: string | undefined, files: string[], { agent }: { agent?: string }, command: Command) => {
      if (!question?.trim()) throw usageError('What is the question? Put it in quotes, before the files')
      process.exitCode = await ask(question, files, agent, command)
    })

async function ask(question: string, files: string[], agentName: string | undefined, command: Command) {
  const prepared = files.length > 0 ? await collect(files.map((file) => resolve(startedIn(), file))) : undefined
  if (prepared?.files.length === 0) throw usageError('There are no files in what was named')
  const session = await openSession(command)
  const { client } = session
  const folder = prepared && { id: await getFolder(client, prepared), name: prepared.name }
  const failed = folder ? await uploadMissing(client, folder.id, prepared) : []
  for (const { path, reason } of failed) console.error(`${path}: ${reason}`)
  if (prepared && failed.length === prepared.files.length) {
    console.error('None of the files can be read')
    return EXIT.failed
  }
  const agent = await chooseAgent(client, { agentId: agentName, folderId: folder?.id, name: folder?.name })
  if (!prepared) session.tell(styleText('dim', `Asking ${agent.name}`, { stream: process.stderr }))
  const chat = await client.chats.create(agent.id, { title: titleOf(question) })
  const { text, citations, messageId } = await answer(session, { agentId: agent.id, chatId: chat.id }, question)
  const ids = { agent_id: agent.id, chat_id: chat.id, message_id: messageId }
  session.print({ answer: text, citations, ...ids, failed_files: failed }, () =>
    citations.length === 0 ? [] : ['', styleText('bold', 'Sources'), ...sourceLines(citations)],
  )
  return 0
}

/** Asks in a chat and shows the answer as it comes. Ctrl-C cancels the run and ends the process. */
export async function answer(
  { client, isJson }: Session,
  { agentId, chatId }: { agentId: string; chatId: string },
  query: string,
) {
  const stream = client.chats.stream(agentId, chatId, { query })
  const leave = () => process.exit(EXIT.interrupted)
  const cancel = () => {
    client.chats.messages.cancel(agentId, chatId, stream.messageId).then(leave, leave)
  }
  process.once('SIGINT', cancel)
  try {
    return { ...(await showAnswer(stream, isJson)), messageId: stream.messageId }
  } finally {
    process.off('SIGINT', cancel)
  }
}

/** Uploads and indexes what is new. Returns the files that failed; the others can be asked about. */
async function uploadMissing(
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

/** Title of a chat that begins with a question. */
export const titleOf = (question: string): string =>
  question
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 100)
