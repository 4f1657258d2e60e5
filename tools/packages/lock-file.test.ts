import { expect, test } from 'vitest'
import { completeLockFile, type LockFile } from './lock-file.ts'

test('native packages that were left out come in, with their platform, where npm would put them', () => {
  const lock: LockFile = {
    packages: {
      '': {},
      'node_modules/engine': {
        version: '1.2.3',
        dev: true,
        optionalDependencies: {
          '@engine/linux-x64-musl': '1.2.3',
          '@engine/darwin-arm64': '1.2.3',
          '@engine/linux-x64-gnu': '1.2.3',
          fsevents: '~2.3.3',
        },
      },
      'node_modules/engine/node_modules/@engine/linux-x64-gnu': { version: '1.2.3', optional: true },
    },
  }
  expect(completeLockFile(lock)).toEqual(['node_modules/@engine/linux-x64-musl', 'node_modules/@engine/darwin-arm64'])
  expect(Object.keys(lock.packages)).toEqual([
    '',
    'node_modules/@engine/darwin-arm64',
    'node_modules/@engine/linux-x64-musl',
    'node_modules/engine',
    'node_modules/engine/node_modules/@engine/linux-x64-gnu',
  ])
  expect(lock.packages['node_modules/@engine/linux-x64-musl']).toEqual({
    version: '1.2.3',
    cpu: ['x64'],
    dev: true,
    libc: ['musl'],
    optional: true,
    os: ['linux'],
  })
  expect(completeLockFile(lock)).toEqual([])
})

test('npm on an older Node than the pinned one leaves no native package out', () => {
  const engines = { node: '>=22.19.0' }
  const lock: LockFile = {
    packages: {
      'node_modules/@engine/linux-x64-gnu': { version: '1.2.3', optional: true, engines },
      'node_modules/engine': { version: '1.2.3', engines },
    },
  }
  completeLockFile(lock)
  expect(lock.packages).toEqual({
    'node_modules/@engine/linux-x64-gnu': { version: '1.2.3', optional: true },
    'node_modules/engine': { version: '1.2.3', engines },
  })
})
