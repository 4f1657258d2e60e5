import type { DataSource } from '@docent/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { docent } from '../../access/access.ts'
import { unawaited } from '../../ui/unawaited.ts'

/** Bytes of a file, as uploaded. */
export const useContent = (file: DataSource) =>
  useQuery({
    // A synced file may have new bytes.
    queryKey: ['content', file.id, file.updated_at, file.size_bytes],
    queryFn: async ({ signal }) =>
      (await docent().dataSources.content(file.knowledge_base_id, file.id, { signal })).blob(),
    staleTime: Number.POSITIVE_INFINITY,
    // Bytes take memory: they are kept only while in use.
    gcTime: 10_000,
  })

/** Address of the bytes of a file in this page; undefined while loading. */
export function useContentUrl(file: DataSource) {
  const { data: blob, error, refetch } = useContent(file)
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return { url, error, refetch }
}

/** Decodes text as UTF-8, or as Windows-1252 if it is not UTF-8. */
export async function decodeText(blob: Blob): Promise<string> {
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

/** Text of a file; undefined while loading. */
export function useText(file: DataSource) {
  const { data: blob, error, refetch } = useContent(file)
  const [text, setText] = useState<string>()
  useEffect(() => {
    let isWanted = true
    if (blob) unawaited(decodeText(blob).then((decoded) => isWanted && setText(decoded)))
    return () => {
      isWanted = false
    }
  }, [blob])
  return { text, error, refetch }
}
