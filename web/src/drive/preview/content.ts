import type { DataSource } from '@docent/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { docent } from '../../access/access.ts'
import { unawaited } from '../../ui/unawaited.ts'

/** The bytes of a file, as they were uploaded. */
export const useContent = (file: DataSource) =>
  useQuery({
    // A file that is synced again has other bytes.
    queryKey: ['content', file.id, file.updated_at, file.size_bytes],
    queryFn: async ({ signal }) =>
      (await docent().dataSources.content(file.knowledge_base_id, file.id, { signal })).blob(),
    staleTime: Number.POSITIVE_INFINITY,
    // Bytes are heavy: kept only while they are looked at.
    gcTime: 10_000,
  })

/** Text of whatever encoding: what is not UTF-8 is taken for the old Western one. */
export async function textOf(blob: Blob): Promise<string> {
  const bytes = await blob.arrayBuffer()
  const [first, second] = new Uint8Array(bytes)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The text of a file; undefined while it comes. */
export function useText(file: DataSource) {
  const { data: blob, error, refetch } = useContent(file)
  const [text, setText] = useState<string>()
  useEffect(() => {
    let isWanted = true
    if (blob) unawaited(textOf(blob).then((decoded) => isWanted && setText(decoded)))
    return () => {
      isWanted = false
    }
  }, [blob])
  return { text, error, refetch }
}
