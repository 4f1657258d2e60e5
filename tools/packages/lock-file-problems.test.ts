import { expect, test } from 'vitest'
import { lockFileProblems } from './lock-file-problems.ts'

const lock = {
  packages: {
    '': {},
    server: {},
    'node_modules/@docent/server': { link: true },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-AAAA' },
    'node_modules/@a/linux-arm64': { version: '1.0.0', optional: true },
  },
}
const manifests = { 'package.json': { dependencies: { a: '^1.0.0' } } }

test('a package without a hash is named, unless it is known that nobody could tell it', () => {
  expect(lockFileProblems({ lock, manifests, unhashed: ['node_modules/@a/linux-arm64'] })).toEqual([])
  expect(lockFileProblems({ lock, manifests, unhashed: [] })).toEqual([
    'package-lock.json: node_modules/@a/linux-arm64 has no integrity hash; run npm run hash-packages',
  ])
})

test('what has a hash by now, or is gone, leaves the list', () => {
  expect(
    lockFileProblems({
      lock,
      manifests,
      unhashed: ['node_modules/@a/linux-arm64', 'node_modules/a', 'node_modules/b'],
    }),
  ).toEqual([
    'tools/packages/unhashed-packages.json: node_modules/a is there or gone; take it off the list',
    'tools/packages/unhashed-packages.json: node_modules/b is there or gone; take it off the list',
  ])
})

test('a dependency that takes any version is named', () => {
  const loose = { 'server/package.json': { devDependencies: { a: '*', b: 'latest', c: '1.x' } } }
  expect(lockFileProblems({ lock, manifests: loose, unhashed: ['node_modules/@a/linux-arm64'] })).toEqual([
    'server/package.json: a takes any version (*); name one',
    'server/package.json: b takes any version (latest); name one',
  ])
})
