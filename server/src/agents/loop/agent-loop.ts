import { InertLinks } from '../../content/markdown/inert-links/inert-links.ts'
import type { AttachedFile } from '../../retrieval/retrieval.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import { LimitReachedError, limitsOf, MOST_EQUAL_CALLS, MOST_STEPS_IN_ALL, NoAnswerError } from '../agent/limits.ts'
import type { Tool } from '../tools/tool.ts'
import type { OfferedTool } from '../tools/toolbox.ts'
import { questionWithFiles, withAbilities } from './attach.ts'
import { answerCalls } from './calls/answer-calls.ts'
import type { LoopWork } from './calls/tool-calls.ts'
import { openConversation } from './conversation.ts'
import type { Recall } from './history.ts'
import { systemPrompt } from './prompt.ts'
import type { RunTree } from './run-agent.ts'
import type { RunEvents } from './run-events.ts'
import { addSpent, type LoopState, totalOf } from './run-state.ts'
import { createSpeech } from './speech.ts'
import { unseenPictures } from './unseen-pictures.ts'

/** Task of one agent of a run. */
export interface LoopTask {
  agent: AgentRecord
  /** Agents at work, each called by the one before; this one is the last. */
  path: readonly string[]
  recall: Recall
  query: string
  files: AttachedFile[]
  events: RunEvents
}

/**
 * The loop of one agent: the model speaks, calls tools, reads their results, and speaks again, until it answers. `state`
 * is kept up to date; with a stored state the loop resumes from there.
 * @returns what it said.
 * @throws ModelError, LimitReachedError, NoAnswerError, WaitingForReview, or the signal's reason.
 */
export async function runLoop(tree: RunTree, task: LoopTask, state: LoopState): Promise<string> {
  const { recall, query, files, events, path } = task
  const agent = files.length > 0 ? withSearch(task.agent) : task.agent
  const model = await withAbilities(await tree.modelOf(agent), files)
  if (agent.knowledgeBaseIds.length > 0) tree.state.readsFolders = true
  const { tools, problems, withheld } = await tree.toolbox.open(agent, {
    path,
    rightsHolderId: tree.run.rightsHolderId,
    signal: tree.signal,
  })
  if (state.steps === 0) {
    const unseen = unseenPictures(files, model)
    tellProblems(events, [...problems, ...(unseen ? [{ name: 'pictures', message: unseen }] : [])])
  }
  const briefs = await collectBriefs(tools, { agent, run: tree.run })
  const conversation = await openConversation(model, {
    system: systemPrompt(agent, { today: tree.today, readsMaterial: tools.length > 0, problems, briefs }),
    tools: tools.map(({ forModel }) => forModel),
    question: questionWithFiles(query, files, model),
    recall,
  })
  const speech = createSpeech(events, {
    saidBefore: state.text,
    openLinks: () => new InertLinks(tree.isNamed),
  })
  const work: LoopWork = { tree, task: { ...task, agent }, tools, withheld, state, runSubAgent: runLoop }
  await answerCalls(work)

  for (;;) {
    const isLast = mustAnswer(tree, agent, state)
    const hear = { onDeltas: speech.say, signal: tree.signal }
    const reply = await conversation.next(state.turns, isLast ? 'none' : 'auto', hear).catch((error) => {
      speech.sayRest()
      throw error
    })
    speech.endTurn()
    state.steps += 1
    state.text = speech.text()
    tree.state.steps += 1
    addSpent(tree.state.spent, agent.id, model, reply.usage)
    if (reply.toolCalls.length === 0 || isLast) {
      if (isSilent(work, isLast ? reply.text : state.text)) throw new NoAnswerError(isLast)
      return state.text
    }
    const { text: content, toolCalls, providerState } = reply
    state.turns.push({ role: 'assistant', content, toolCalls, providerState })
    await answerCalls(work)
  }
}

/** Whether the end left a person with nothing: a file, or a proposal, can stand without a word. */
const isSilent = ({ tree, task }: LoopWork, said: string): boolean =>
  said.trim() === '' && tree.outputs.count() === 0 && !task.agent.isConfigurator

/** Collects the texts that tools give beforehand. */
async function collectBriefs(
  tools: OfferedTool[],
  context: Parameters<NonNullable<Tool['brief']>>[0],
): Promise<string[]> {
  const speaking = tools.flatMap(({ tool }) => (tool.brief ? [tool.brief(context)] : []))
  return (await Promise.all(speaking)).filter((brief) => brief !== undefined)
}

/** Lets an agent search the files that come with a question, whichever tools it has. */
function withSearch(agent: AgentRecord): AgentRecord {
  return agent.tools.includes('search_knowledge') ? agent : { ...agent, tools: [...agent.tools, 'search_knowledge'] }
}

function tellProblems(events: RunEvents, problems: { name: string; message: string }[]): void {
  for (const [index, { name, message }] of problems.entries()) {
    const call = { id: `problem_${index + 1}`, toolName: name }
    events.toolCallStart(call, undefined)
    events.toolCallResult(call, { title: name, content: message, content_type: 'text', status: 'error' })
  }
}

/**
 * Whether the coming reply has to be the answer: the limits leave no room for more, or the model goes round in circles.
 * @throws LimitReachedError when there is no room even for that
 */
function mustAnswer({ state: whole, limits }: RunTree, agent: AgentRecord, state: LoopState): boolean {
  const { inputTokens, outputTokens } = totalOf(whole.spent)
  const used = inputTokens + outputTokens
  if (used >= limits.maxTokens) throw new LimitReachedError('max_tokens', limits.maxTokens)
  // Replies of a run grow: the next one takes about as much as those before it did, or more.
  const next = whole.steps > 0 ? used / whole.steps : 0
  return (
    used + 2 * next > limits.maxTokens ||
    state.steps + 1 >= limitsOf(agent.limits).maxSteps ||
    whole.steps + 1 >= MOST_STEPS_IN_ALL ||
    Object.values(state.calls).some((count) => count > MOST_EQUAL_CALLS)
  )
}
