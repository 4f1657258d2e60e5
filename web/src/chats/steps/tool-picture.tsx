import { useEffect, useState } from 'react'

/** Image made by a tool, given as a data: URL. The policy allows images from memory, but no data: URLs. */
export function ToolPicture({ data, title }: { data: string; title: string }) {
  const [source, setSource] = useState<string>()
  useEffect(() => {
    const blob = toBlob(data)
    if (!blob) return setSource(undefined)
    const url = URL.createObjectURL(blob)
    setSource(url)
    return () => URL.revokeObjectURL(url)
  }, [data])
  if (source) return <img src={source} alt={title} className="max-h-72 w-auto max-w-full rounded-md" />
  // Loading a remote image would reveal the reader to its host, so it opens only on a click.
  if (/^https?:\/\//i.test(data))
    return (
      <a href={data} target="_blank" rel="noopener noreferrer nofollow">
        {title}
      </a>
    )
  return <p>{title}</p>
}

function toBlob(data: string): Blob | undefined {
  const [, type, base64] = /^data:(image\/[\w.+-]+);base64,([\w+/]*=*)$/.exec(data) ?? []
  if (!base64) return undefined
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return new Blob([bytes], { type })
}
