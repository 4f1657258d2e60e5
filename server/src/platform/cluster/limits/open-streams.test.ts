import { expect, test } from 'vitest'
import { RateLimitedError } from '../../errors.ts'
import { createOpenStreams } from './open-streams.ts'

test('a key has its number of streams, and each that ends makes room once', () => {
  const streams = createOpenStreams(2)
  const close = streams.open('a')
  streams.open('a')
  expect(() => streams.open('a')).toThrow(RateLimitedError)
  streams.open('b')
  close()
  close()
  streams.open('a')
  expect(() => streams.open('a')).toThrow('This API key has 2 streams open')
})

test('0 is any number', () => {
  const streams = createOpenStreams(0)
  for (let i = 0; i < 1000; i++) streams.open('a')
})
