import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { matchesLock } from './install.mjs'

function checkoutWith(present: Record<string, object> | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-install-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const wanted = {
    '': { name: 'docent' },
    server: { name: '@docent/server' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/a/node_modules/b': { version: '2.0.0', dev: true },
    'node_modules/native-darwin': { version: '3.0.0', optional: true },
    'node_modules/@docent/server': { resolved: 'server', link: true },
  }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: wanted }))
  mkdirSync(join(folder, 'node_modules'))
  if (present) writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: present }))
  return folder
}

const complete = {
  'node_modules/a': { version: '1.0.0' },
  'node_modules/a/node_modules/b': { version: '2.0.0' },
  'node_modules/@docent/server': { resolved: 'server', link: true },
}

test('an install is complete without the native packages of other platforms', () => {
  expect(matchesLock(checkoutWith(complete))).toBe(true)
})

test('another version, a missing package and an interrupted install are not complete', () => {
  expect(matchesLock(checkoutWith({ ...complete, 'node_modules/a': { version: '1.0.1' } }))).toBe(false)
  const { 'node_modules/a/node_modules/b': _, ...without } = complete
  expect(matchesLock(checkoutWith(without))).toBe(false)
  expect(matchesLock(checkoutWith(undefined))).toBe(false)
})

test('this very checkout is complete', () => {
  expect(matchesLock(join(import.meta.dirname, '..'))).toBe(true)
})
