import { headingOf, indexedText } from '../../content/chunks/indexed-text.ts'
import type { Chunk } from '../../content/read/parsed-document.ts'
import type { DataSource } from '../../drive/drive.ts'
import type { Passage } from '../../search/engine.ts'
import { passageId } from '../space.ts'

/** A piece of a file, before it is in an index. */
export interface FileChunk {
  file: Pick<DataSource, 'id' | 'title' | 'folderId'>
  chunk: Chunk
}

/** Text whose vector stands for a piece. */
export const textToEmbed = ({ file, chunk }: FileChunk): string => indexedText(file.title, chunk)

/** A piece as the search engine takes it. */
export const toPassage = ({ file, chunk }: FileChunk, vector: Float32Array | undefined): Passage => ({
  id: passageId(file.id, chunk.ordinal),
  documentId: file.id,
  groupId: file.folderId,
  ordinal: chunk.ordinal,
  heading: headingOf(file.title, chunk.location),
  text: chunk.text,
  location: JSON.stringify(chunk.location),
  ...(vector && { vector }),
})
