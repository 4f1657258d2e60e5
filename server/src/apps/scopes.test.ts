import { expect, test } from 'vitest'
import { scopesAsked } from './scopes.ts'

test('a client gets the scopes that it names, all if it names none, and none if it names unknown ones alone', () => {
  for (const [text, asked] of [
    [undefined, ['agents', 'documents']],
    ['documents', ['documents']],
    ['documents admin', ['documents']],
    ['openid offline_access', ['agents', 'documents']],
    ['offline_access agents', ['agents']],
    ['admin', undefined],
    ['api', undefined],
    ['openid admin', undefined],
  ] as const)
    expect(scopesAsked(text, 'mcp'), text).toEqual(asked)
})
