import { beforeAll, describe, expect, test } from 'vitest'
import { api } from '../support/api.ts'
import { makeFile, makeFolder, newConversation, upload } from '../support/make.ts'
import { scripted } from '../support/tests.ts'

let talk: Awaited<ReturnType<typeof newConversation>>
beforeAll(async () => {
  talk = await newConversation()
})

const seen = async (uploaded_files: string[], on = talk): Promise<string> =>
  (await on.answer('echo', { uploaded_files })).text

describe('files sent with a query', () => {
  scripted("their text is in the model's context", async () => {
    expect(await seen([await upload('The heron nests in March.')])).toContain('The heron nests in March.')
  })

  scripted('several come together', async () => {
    const text = await seen([await upload('First about herons.'), await upload('Second about storks.')])
    expect(text).toContain('First about herons.')
    expect(text).toContain('Second about storks.')
  })

  scripted('another chat does not have them', async () => {
    await talk.answer('say x', { uploaded_files: [await upload('The crane dances.')] })
    expect((await (await newConversation()).answer('echo')).text).not.toContain('The crane dances.')
  })

  scripted('one that was in a deleted folder can still be sent', async () => {
    const file = await upload('The egret waits.')
    const folder = await makeFolder()
    await makeFile(folder.id, { file_id: file })
    await api.delete(`/knowledge-bases/${folder.id}`)
    expect(await seen([file])).toContain('The egret waits.')
  })

  test('20 are taken', async () => {
    const uploaded_files = await Promise.all(Array.from({ length: 20 }, () => upload('x')))
    expect((await talk.ask('say x', { uploaded_files })).status).toBe(200)
  })

  test('none are as good as an empty list', async () => {
    expect((await talk.ask('say x', { uploaded_files: [] })).status).toBe(200)
  })
})
