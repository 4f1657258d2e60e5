import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'
import type { Command } from 'commander'
import { usageError } from '../failures.ts'
import { openSession } from '../session.ts'
import { sourceLines } from './answer.ts'
import { answer, titleOf } from './ask.ts'
import { chooseAgent } from './choose-agent.ts'

/** Adds `docent chat`. */
export const addChat = (program: Command) =>
  program
    .command('chat')
    .description('talk with an agent: a question a line, until Ctrl-D or /exit')
    .argument('[agent]', 'id or name of the agent; without one the newest')
    .option('-t, --thread <id>', 'go on in this thread of the agent')
    .action(async (agentName: string | undefined, { thread }: { thread?: string }, command: Command) => {
      if (thread && !agentName) throw usageError('Name the agent of the thread: docent chat AGENT --thread ID')
      await chat(command, agentName, thread)
    })

async function chat(command: Command, agentName: string | undefined, thread: string | undefined): Promise<void> {
  const session = await openSession(command)
  const { client, isJson } = session
  const agent = await chooseAgent(client, { agentId: agentName })
  let chatId = thread && (await client.chats.get(agent.id, thread)).id
  const isPerson = process.stdin.isTTY && process.stdout.isTTY && !isJson
  if (isPerson)
    session.tell(styleText('dim', `${agent.name}: Ctrl-D or /exit ends the chat`, { stream: process.stderr }))
  const lines = createInterface({ input: process.stdin, output: isPerson ? process.stdout : undefined, prompt: '› ' })
  if (isPerson) lines.prompt()
  for await (const line of lines) {
    const question = line.trim()
    if (question === '/exit') break
    if (question) {
      chatId ??= (await client.chats.create(agent.id, { title: titleOf(question) })).id
      const { text, citations, messageId } = await answer(session, { agentId: agent.id, chatId }, question)
      if (isJson) console.log(JSON.stringify({ answer: text, citations, chat_id: chatId, message_id: messageId }))
      else if (citations.length > 0) console.log(styleText('dim', sourceLines(citations).join('\n')))
    }
    if (isPerson) lines.prompt()
  }
  lines.close()
  if (isPerson && chatId)
    session.tell(styleText('dim', `docent chat ${agent.id} --thread ${chatId} goes on`, { stream: process.stderr }))
}
