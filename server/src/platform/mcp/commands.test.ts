import { expect, test } from 'vitest'
import { parseMcpCommands } from './commands.ts'

test('a list of lines', () => {
  const commands = parseMcpCommands(' files = /usr/bin/files-mcp --read-only /srv ; git=/usr/bin/git-mcp;')
  expect(Object.fromEntries(commands)).toEqual({
    files: { command: '/usr/bin/files-mcp', args: ['--read-only', '/srv'], env: {} },
    git: { command: '/usr/bin/git-mcp', args: [], env: {} },
  })
  expect(parseMcpCommands('').size).toBe(0)
})

test('a JSON object', () => {
  const commands = parseMcpCommands(
    '{"a": {"command": "/bin/a b", "args": ["c d"], "env": {"X": "1"}}, "e": "/bin/e f"}',
  )
  expect(Object.fromEntries(commands)).toEqual({
    a: { command: '/bin/a b', args: ['c d'], env: { X: '1' } },
    e: { command: '/bin/e', args: ['f'], env: {} },
  })
})

test.each([
  'files',
  'files=',
  '=x',
  'Files=/x',
  '{"a": 1}',
  '{"a": {"command": ""}}',
  '{"a": {"cmd": "x"}}',
  '{',
  '{"a": ""}',
])('%s is refused, and the error shows how it is done', (text) =>
  expect(() => parseMcpCommands(text)).toThrow('must be a JSON object like'),
)
