import { expect, test } from 'vitest'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { cliOf } from './run-cli.ts'

const TEXT = '# Kilns\n\nA kiln is heated slowly.\n\n# Clay\n\nClay is kept wet.\n'

test('passages of a file are listed, edited, switched off, added and taken back', async () => {
  const { run, json } = await cliOf(await startTestApp(), { 'kiln.md': TEXT })
  await json('put', 'kiln.md', '/Shelf', '--wait')
  const path = '/Shelf/kiln.md'
  const texts = async () => (await json('passages', 'ls', path)).passages.map(({ text }: { text: string }) => text)
  const become = (...wanted: string[]) => expect.poll(texts, { timeout: 30_000 }).toEqual(wanted)
  expect((await run(['passages', 'ls', path])).out).toMatch(
    /^1 {2}line.*Kilns {2}A kiln is heated slowly\.\n2 .*wet\.\n$/,
  )

  const edited = await json('passages', 'edit', path, '1', 'A kiln needs twelve hours.')
  expect(edited).toMatchObject({ kind: 'edited', text: 'A kiln needs twelve hours.' })
  await become('A kiln needs twelve hours.', 'Clay is kept wet.')
  const off = await json('passages', 'off', path, '2')
  await become('A kiln needs twelve hours.')
  expect(await run(['passages', 'add', path, '0', 'Wear gloves.'])).toMatchObject({ code: 0 })
  await become('Wear gloves.', 'A kiln needs twelve hours.')
  const { out } = await run(['passages', 'ls', path])
  expect(out.split('\n').slice(0, 2)).toEqual([
    '1  added by hand                  Wear gloves.',
    '2  line 3, Kilns, edited by hand  A kiln needs twelve hours.',
  ])
  expect(out).toContain(`${off.id}  off     applied  Clay is kept wet.`)

  expect(await json('passages', 'on', path, off.id)).toEqual({ id: off.id, undone: true })
  await become('Wear gloves.', 'A kiln needs twelve hours.', 'Clay is kept wet.')
  expect(await run(['passages', 'off', path, '0'])).toMatchObject({ code: 2 })
  const beyond = { code: 4, err: expect.stringContaining('has no passage 99') }
  expect(await run(['passages', 'off', path, '99'])).toMatchObject(beyond)
  expect(await run(['passages', 'ls', '/Shelf'])).toMatchObject({ code: 2 })
  expect(await run(['passages', 'on', path, off.id])).toMatchObject({ code: 4 })
})
