import { useEffect, useState } from 'react'

/** A picture that a tool made, given as a data: URL: pages may show pictures from memory, but none from their text. */
export function ToolPicture({ data, title }: { data: string; title: string }) {
  const [source, setSource] = useState<string>()
  useEffect(() => {
    const blob = blobOf(data)
    if (!blob) return setSource(undefined)
    const url = URL.createObjectURL(blob)
    setSource(url)
    return () => URL.revokeObjectURL(url)
  }, [data])
  if (source) return <img src={source} alt={title} className="max-h-72 w-auto max-w-full rounded-md" />
  // A picture elsewhere would tell its host who looks: it is opened only by who wants to.
  if (/^https?:\/\//i.test(data))
    return (
      <a href={data} target="_blank" rel="noopener noreferrer nofollow">
        {title}
      </a>
    )
  return <p>{title}</p>
}

function blobOf(data: string): Blob | undefined {
  const [, type, base64] = /^data:(image\/[\w.+-]+);base64,([\w+/]*=*)$/.exec(data) ?? []
  if (!base64) return undefined
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return new Blob([bytes], { type })
}
