import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../../tools/admin.mjs', import.meta.url))

function admin(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

const all = admin('help')

test('help tells of all commands, or of one, and does nothing', () => {
  expect(all).toEqual({ status: 0, stdout: '', stderr: expect.stringMatching(/^backup FOLDER\n(.*\n)*doctor /m) })
  expect(admin('--help')).toEqual(all)
  const one = admin('backup', '--help')
  expect(one).toEqual({ status: 0, stdout: '', stderr: expect.stringMatching(/^backup FOLDER\n {4}.+\n$/) })
})

test.each([
  ['bakcup', 'There is no command "bakcup"; did you mean backup? These there are:\n'],
  ['nonsense', 'There is no command "nonsense". These there are:\n'],
  ['constructor', 'There is no command "constructor". These there are:\n'],
])('the unknown command %s is an error that names it, and is told all that there are', (name, line) => {
  expect(admin(name)).toEqual({ status: 2, stdout: '', stderr: line + all.stderr })
})

test('an unknown command is no less unknown when help about it is asked for', () => {
  expect(admin('bakcup', '--help')).toMatchObject({ status: 2, stderr: expect.stringMatching(/^There is no command/) })
})
