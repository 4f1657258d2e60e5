import { describe, expect, test } from 'vitest'
import { formOf } from '../../support/drive/drive.ts'
import { answer } from '../../support/models/model-server.ts'
import { KEY, startRestartable } from '../../support/processes/restartable.ts'
import { STACKS } from '../../support/processes/stacks.ts'

/** Takes a parser some seconds. */
const LONG = 'A furnace of many words stands on each line of this.\n'.repeat(160_000)

describe.each(STACKS)('on %s', (stack) => {
  test('a kill while a new version is read leaves the old one found, until the new one is', async () => {
    const { first, again } = await startRestartable(() => answer('Yes.'), { stack })
    const folder = (await first.call('POST', '/knowledge-bases', { knowledge_base_name: 'Shelf' })).body.data.id
    const base = `/knowledge-bases/${folder}/data-sources`
    const upload = async (text: string) => {
      const headers = { 'x-api-key': KEY }
      const reply = await fetch(`${first.url}/v1/uploaded-files`, {
        method: 'POST',
        headers,
        body: formOf(text, 'a.txt'),
      })
      return ((await reply.json()) as { data: string }).data
    }
    const added = await first.call('POST', `${base}/documents`, {
      file_id: await upload('A kiln is heated slowly.'),
      data_source_title: 'a.txt',
    })
    const path = `${base}/${added.body.data._id}`
    const fileAt = async (server: typeof first) => (await server.call('GET', path)).body.data
    const hitsAt = async (server: typeof first, query: string) =>
      (await server.call('GET', `/knowledge-bases/${folder}/search?query=${query}`)).body.data.results.length
    await expect.poll(async () => (await fileAt(first)).status, { timeout: 30_000 }).toBe('successful')
    await first.call('PUT', `${path}/content`, { file_id: await upload(LONG) })
    await expect.poll(async () => (await fileAt(first)).status, { interval: 5 }).toBe('indexing')
    expect(await hitsAt(first, 'kiln')).toBe(1)
    await first.end('SIGKILL')

    const second = await again()
    const seen: { status: string; kilns: number; furnaces: number }[] = []
    await expect
      .poll(
        async () => {
          const [kilns, furnaces] = [await hitsAt(second, 'kiln'), await hitsAt(second, 'furnace')]
          const { status } = await fileAt(second)
          seen.push({ status, kilns, furnaces })
          return status
        },
        { timeout: 120_000, interval: 20 },
      )
      .toBe('successful')
    expect(seen.filter(({ kilns, furnaces }) => kilns + furnaces === 0)).toEqual([])
    expect([await hitsAt(second, 'kiln'), (await hitsAt(second, 'furnace')) > 0]).toEqual([0, true])
    const listed = (await second.call('GET', `${path}/versions`)).body.data.versions
    expect(listed.map(({ version, is_found }: any) => [version, is_found])).toEqual([
      [2, true],
      [1, false],
    ])
  })
})
