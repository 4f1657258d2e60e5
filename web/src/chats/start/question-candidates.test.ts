import { expect, test } from 'vitest'
import { candidates } from './question-candidates.ts'

const passage = (text: string, ...heading_path: string[]) => ({ text, location: { heading_path } })
const asked = (title: string, ...passages: ReturnType<typeof passage>[]) =>
  candidates({ title }, passages).map(({ question }) => question)

test('questions are made from the headings of a file, and from its title if it has none', () => {
  expect(
    asked('moving.md', passage('Boxes.', 'Moving', 'What to pack'), passage('Keys.', 'Moving', 'Old keys')),
  ).toEqual(['What to pack?', 'What does “Moving” say about “Old keys”?'])
  expect(asked('house_rules.txt', passage('Be quiet.'))).toEqual(['What is “House rules” about?'])
})

test('headings that any document has are passed over', () => {
  expect(
    asked(
      'inspection.md',
      passage('Well.', 'Inspection', 'Summary'),
      passage('1', 'Inspection', '1. Introduction'),
      passage('2', 'Inspection', 'NOTICE'),
      passage('Kurz.', 'Inspection', 'Überblick'),
      passage('Sound.', 'Inspection', 'Lifting gear'),
    ),
  ).toEqual(['What does “Inspection” say about “Lifting gear”?'])
  expect(asked('inspection.md', passage('Well.', 'Inspection', 'Summary'))).toEqual(['What is “Inspection” about?'])
  expect(asked('inspection.md', passage('好', 'Inspection', '起重设备检查'))).toEqual([
    'What does “Inspection” say about “起重设备检查”?',
  ])
})

test('a table is asked for its first row', () => {
  const row = 'Item: Desk lamp | Price: 39.90'
  expect(asked('prices.csv', passage(`${row}\nItem: Chair | Price: 289.00`))).toEqual([
    'What does “Prices” list for “Desk lamp”?',
  ])
  expect(asked('bars.txt', passage('The lamp | the rope.'))).toEqual(['What is “Bars” about?'])
})

test('an e-mail is asked for by its subject or by who wrote it', () => {
  const mail = (subject: string, from = 'Berta Holm <berta@example.org>') =>
    asked('mail.eml', passage(`From: ${from}\nTo: office@example.org\nSubject: ${subject}\nHello, we offer a kitchen.`))
  const byWriter = 'What does Berta Holm write?'
  expect(mail('Re: AW: Offer for the new kitchen')).toEqual([
    'What does the e-mail “Offer for the new kitchen” say?',
    byWriter,
  ])
  expect(mail('Is the kitchen ready?')).toEqual(['What does the e-mail “Is the kitchen ready?” say?', byWriter])
  // One word tells it from no other e-mail.
  expect(mail('Mail')).toEqual([byWriter])
  expect(mail('Mail', 'berta@example.org')).toEqual(['What does berta@example.org write?'])
  // Text that only speaks of e-mails is none.
  expect(asked('notes.txt', passage('About mail.\nSubject: as short as may be'))).toEqual(['What is “Notes” about?'])
})
