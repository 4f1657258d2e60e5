import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { useContentUrl } from './content.ts'
import { Opening, type PreviewProps } from './opening.tsx'
import { PreviewError, UnreadableError } from './preview-error.tsx'

/** Player of a recording, which begins where the cited passage is said. */
export default function RecordingPreview({ file, target, onMarked }: PreviewProps) {
  const { url, error, refetch } = useContentUrl(file)
  const [isBroken, setBroken] = useState(false)
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  const start = target?.location.time_start
  useEffect(() => {
    if (!target || !url) return
    if (start !== undefined) player.current!.currentTime = start
    onMarked(start !== undefined)
  }, [target, start, url, onMarked])

  if (isBroken)
    return <PreviewError error={new UnreadableError(t`The browser cannot play this recording. Download it instead.`)} />
  if (error) return <PreviewError error={error} onRetry={refetch} />
  if (!url) return <Opening />
  const Player = file.media_type.startsWith('video/') ? 'video' : 'audio'
  return (
    <div className="flex min-h-0 flex-1 items-center justify-center bg-canvas p-4 sm:p-8">
      <Player
        ref={player}
        src={url}
        controls
        preload="metadata"
        aria-label={file.title}
        onError={() => setBroken(true)}
        className="max-h-full w-full max-w-2xl"
      />
    </div>
  )
}
