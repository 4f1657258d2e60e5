import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readArguments } from './arguments.ts'
import { adminCommands } from './commands.ts'

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

test.each([
  ['plan extra', '"extra" is one word too many', 'plan [--json]'],
  ['plan --jsno', 'There is no option --jsno; did you mean --json?', 'plan [--json]'],
  ['doctor -f', 'There is no option -f', 'doctor [--fix]'],
  ['doctor --fix=yes', '--fix takes no value', 'doctor [--fix]'],
  ['sign-in-link --email', '--email needs a value', 'sign-in-link [WORKSPACE_ID] [--email EMAIL]'],
  ['move-to-postgres --data-dir --fix', '--data-dir needs a value', 'move-to-postgres [--data-dir FOLDER]'],
  ['backup one -- two', '"two" is one word too many after FOLDER', 'backup FOLDER'],
  [
    'create-workspace a b c',
    '"c" is one word too many after ORGANIZATION_ID NAME',
    'create-workspace ORGANIZATION_ID NAME',
  ],
])('%s is refused with what is right, before anything is touched', (line, problem, usage) => {
  const stderr = `${problem}\nThis is right: npm run admin -- ${usage}\n`
  expect(admin(...line.split(' '))).toEqual({ status: 2, stdout: '', stderr })
})

test('each thing that is wrong is told, and every command takes no more words than its usage names', () => {
  expect(admin('plan', 'a', 'b', '--c').stderr.split('\n')).toHaveLength(5)
  for (const [name, { usage }] of Object.entries(adminCommands))
    expect(
      () =>
        readArguments(
          name,
          adminCommands[name]!,
          Array.from({ length: 4 }, () => 'word'),
        ),
      usage,
    ).toThrow(/^"word" is one word too many/)
})
