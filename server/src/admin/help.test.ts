import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../admin.ts', import.meta.url))

function admin(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('help tells of all commands, or of one, and does nothing', () => {
  const all = admin('help')
  expect(all).toEqual({ status: 0, stdout: '', stderr: expect.stringMatching(/^backup FOLDER\n(.*\n)*doctor /m) })
  expect(admin('--help')).toEqual(all)
  const one = admin('backup', '--help')
  expect(one).toEqual({ status: 0, stdout: '', stderr: expect.stringMatching(/^backup FOLDER\n {4}.+\n$/) })
})

test('an unknown command is an error, and is told all that there are', () => {
  expect(admin('bakcup')).toEqual({ status: 2, stdout: '', stderr: admin('help').stderr })
})
