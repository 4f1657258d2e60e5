import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { cx } from '../../ui/class-names.ts'
import { docent } from '../session/session.ts'

interface PersonFaceProps {
  name: string
  /** The member, with the path of their picture if they have one. */
  id?: string | undefined
  pictureUrl?: string | null | undefined
  className?: string
}

/** Picture of a person, or their initials. The name is beside it. */
export function PersonFace({ name, id, pictureUrl, className = 'size-8' }: PersonFaceProps) {
  const picture = usePicture(id, pictureUrl)
  const shape = cx('shrink-0 rounded-full', className)
  if (picture) return <img src={picture} alt="" className={cx(shape, 'object-cover')} />
  return (
    <span
      aria-hidden
      className={cx('inline-flex items-center justify-center bg-accent-soft font-semibold text-accent', shape)}
    >
      {initialsOf(name)}
    </span>
  )
}

/** First letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  return [...words.slice(0, 1), ...words.slice(1).slice(-1)].map((word) => [...word][0]!.toUpperCase()).join('')
}

/**
 * Address of the picture in this page. It is fetched, for a plain `src` would be sent without what proves the session.
 */
function usePicture(id: string | undefined, pictureUrl: string | null | undefined): string | undefined {
  const { data: blob } = useQuery({
    // Another picture has another path.
    queryKey: ['picture', pictureUrl],
    queryFn: async ({ signal }) => (await docent().members.picture(id!, { signal })).blob(),
    enabled: id !== undefined && Boolean(pictureUrl),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => {
      URL.revokeObjectURL(made)
      setAddress(undefined)
    }
  }, [blob])
  return pictureUrl ? address : undefined
}
