import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startTestChat } from './support/chat.ts'
import { driveOf } from './support/drive.ts'

const fixture = (name: string) => readFile(new URL(`../src/content/read/fixtures/${name}`, import.meta.url))

/** Asks with a picture that has text and one that has none. */
async function askWithPictures(settings: Record<string, string> = {}, extra?: Uint8Array) {
  const app = await startTestChat({ settings })
  const { upload } = driveOf(app)
  const note = await fixture('delivery-note.png')
  const uploaded_files = [await upload(note, 'note.png'), await upload(await fixture('clouds.jpg'), 'clouds.jpg')]
  if (extra) uploaded_files.push(await upload(extra, 'large.png'))
  const events = await (await app.stream('What is this?', { uploaded_files })).rest()
  const told = events.filter(({ subtype }) => subtype === 'tool_call_result').map(({ data }) => data)
  const { content } = app.model.requests[0]!.body.messages.at(-1)
  return { ...app, note, content, told }
}

test('a picture for a model that does not see goes as its text, and model and person are told', async () => {
  const { content, told, stream, model } = await askWithPictures()
  expect(content).toEqual(expect.any(String))
  expect(content).toMatch(
    /<passage file="note.png">\n[^<]*\w[^<]*<\/passage>\n\(this is a picture that you cannot see: above/,
  )
  expect(content).toMatch(
    /<passage file="clouds.jpg">\n\n<\/passage>\n\(this is a picture that you cannot see, and no text/,
  )
  expect(told).toEqual([
    {
      tool_name: 'pictures',
      tool_call_id: expect.any(String),
      preview: {
        title: 'pictures',
        content:
          'note.png: the model openai-compatible/scripted does not see pictures; only its text was read.\nclouds.jpg: the model openai-compatible/scripted does not see pictures; it has no text that could be read.',
        content_type: 'text',
        status: 'error',
      },
    },
  ])
  // The model is told again with the next question, the person knows.
  const later = await (await stream('And now?')).rest()
  expect(later.filter(({ type }) => type === 'live_update')).toEqual([])
  expect(model.requests.at(-1)!.body.messages.at(-1).content).toContain('you cannot see')
})

test('a picture goes along to a model that the setting says sees', async () => {
  const { content, told, note } = await askWithPictures({ DOCENT_MODELS_THAT_SEE: 'openai-compatible/script*' })
  expect(content.map(({ type }: { type: string }) => type)).toEqual(['text', 'image_url', 'image_url'])
  expect(content[1].image_url.url).toBe(`data:image/png;base64,${note.toString('base64')}`)
  expect(content[0].text).not.toContain('cannot see')
  expect(told).toEqual([])
})

test('a picture that is too large to be looked at is told of, too', async () => {
  // Readers of PNG ignore bytes after its end.
  const large = Buffer.concat([await fixture('delivery-note.png'), Buffer.alloc(5 * 1024 * 1024)])
  const { content, told } = await askWithPictures({ DOCENT_MODELS_THAT_SEE: '*' }, large)
  expect(content.map(({ type }: { type: string }) => type)).toEqual(['text', 'image_url', 'image_url'])
  expect(content[0].text).toMatch(/<passage file="large.png">[^<]*<\/passage>\n\(this is a picture that you cannot see/)
  expect(told[0]!.preview!.content).toBe(
    'large.png: models see PNG, JPEG, WebP and GIF up to 5 MiB; only its text was read.',
  )
})

test('the setting takes patterns of models and nothing else', async () => {
  await expect(startTestChat({ settings: { DOCENT_MODELS_THAT_SEE: 'llava' } })).rejects.toThrow(
    /DOCENT_MODELS_THAT_SEE.*must be a list of models, for instance openai/,
  )
})
