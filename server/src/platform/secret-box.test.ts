import { expect, test } from 'vitest'
import { createSecretBox } from './secret-box.ts'

const box = createSecretBox('a secret of the server', 'tests')

test('what is sealed can be opened, and looks different each time', () => {
  const sealed = box.seal('geheim ✓', 'organization')
  expect(sealed).not.toContain('geheim')
  expect(sealed).not.toBe(box.seal('geheim ✓', 'organization'))
  expect(box.open(sealed, 'organization')).toBe('geheim ✓')
  expect(box.open(box.seal('', 'organization'), 'organization')).toBe('')
})

test('it opens for nothing else', () => {
  const sealed = box.seal('geheim', 'organization')
  expect(() => box.open(sealed, 'another')).toThrow()
  expect(() => createSecretBox('another secret', 'tests').open(sealed, 'organization')).toThrow()
  expect(() => createSecretBox('a secret of the server', 'another').open(sealed, 'organization')).toThrow()
  const changed = sealed.slice(0, -3) + (sealed.at(-3) === 'A' ? 'B' : 'A') + sealed.slice(-2)
  expect(() => box.open(changed, 'organization')).toThrow()
  for (const text of ['', 'geheim', 'v1.', 'v1.AAAA']) expect(() => box.open(text, 'organization')).toThrow()
})
