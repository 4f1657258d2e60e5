import { expect, test } from 'vitest'
import type { ToolStep } from '../answers/live-answer.ts'
import { argumentName } from './argument-names.ts'
import { endedTitle, toolWords } from './tool-labels.ts'

const ended = (toolName: string, title: string, given: Record<string, unknown> = {}) =>
  endedTitle({ toolName, given, preview: { status: 'success', title } } as unknown as ToolStep, 'the question')

test.each([
  ['search_knowledge', 'Search: the question', { query: 'the question' }, 'Searched the documents'],
  ['search_knowledge', 'Search: lamp', { query: 'lamp' }, 'Search: lamp'],
  ['web_search', 'Searched the web for “lamp”', { query: 'lamp' }, 'Searched the web for “lamp”'],
  ['read_file', 'Read plan.pdf', {}, 'Read plan.pdf'],
  ['read_file', 'Read plan, page 2.pdf, pages 3 to 5', {}, 'Read plan, page 2.pdf, pages 3 to 5'],
  ['read_file', 'Read plan.pdf, page 3', {}, 'Read plan.pdf, page 3'],
  ['list_files', '1 file in 2 folders', {}, '1 file in 2 folders'],
  ['fetch_page', 'Read The coast', {}, 'Read The coast'],
  ['remember', 'Recalled', { action: 'recall' }, 'Recalled'],
  ['create_file', 'report.pdf', { name: 'report.pdf' }, 'report.pdf'],
  ['tickets__create_ticket', 'Create a ticket', { query: 'lamp' }, 'Create a ticket'],
])('%s that ended with “%s” is told', (tool, title, given, told) => {
  expect(ended(tool, title, given)).toBe(told)
})

test('a title that is the bare name of a tool says nothing: the tool is told in words', () => {
  expect(ended('tickets__create_ticket', 'tickets__create_ticket')).toBeUndefined()
  expect(toolWords('tickets__create_ticket').doing).toBe('Create ticket · Tickets')
})

test('arguments are named for people, and ids of built-in tools left out', () => {
  expect(argumentName('search_knowledge', 'query')).toBe('Looks for')
  expect(argumentName('call_agent', 'query')).toBe('Task')
  expect(argumentName('read_file', 'data_source_id')).toBeUndefined()
  expect(argumentName('tickets__create_ticket', 'data_source_id')).toBe('Data source id')
  expect(argumentName('tickets__find', 'query')).toBe('Query')
})
