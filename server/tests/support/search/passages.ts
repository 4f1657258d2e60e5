import type { Passage } from '../../../src/search/engine.ts'

let count = 0
export const newId = () => (++count).toString(16).padStart(24, '0')

export function passage(text: string, fields: Partial<Passage> = {}): Passage {
  return {
    id: newId(),
    documentId: newId(),
    groupId: newId(),
    ordinal: 0,
    heading: '',
    text,
    location: '{}',
    ...fields,
  }
}

export function pages(documentId: string, texts: string[]): Passage[] {
  const groupId = newId()
  return texts.map((text, ordinal) => passage(text, { documentId, groupId, ordinal }))
}
