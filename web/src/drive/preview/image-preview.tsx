import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { cx } from '../../ui/class-names.ts'
import { useContentUrl } from './content.ts'
import { Opening, type PreviewProps } from './opening.tsx'
import { PreviewError, UnreadableError } from './preview-error.tsx'

/** Image scaled to the page; a click shows it at its own size. */
export default function ImagePreview({ file, target, onMarked }: PreviewProps) {
  const { url, error, refetch } = useContentUrl(file)
  const [isLarge, setLarge] = useState(false)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    // Text recognized in an image has no position to mark.
    if (target) onMarked(false)
  }, [target, onMarked])

  if (isBroken)
    return (
      <PreviewError
        error={new UnreadableError(t`This picture is damaged: the browser cannot show it. Upload it again.`)}
      />
    )
  if (error) return <PreviewError error={error} onRetry={refetch} />
  if (!url) return <Opening />
  return (
    <div
      className={cx('flex min-h-0 flex-1 overflow-auto scroll-quiet bg-canvas p-4 sm:p-8', !isLarge && 'items-center')}
    >
      <button
        type="button"
        aria-label={isLarge ? t`Fit the picture to the page` : t`Show the picture in its own size`}
        aria-pressed={isLarge}
        onClick={() => setLarge(!isLarge)}
        className={cx('m-auto', isLarge ? 'cursor-zoom-out' : 'max-h-full max-w-full cursor-zoom-in')}
      >
        <img
          src={url}
          alt={file.title}
          onError={() => setBroken(true)}
          className={cx(
            'rounded-control border border-line bg-raised shadow-raised',
            isLarge ? 'max-w-none' : 'max-h-[calc(100dvh-12rem)] max-w-full object-contain',
          )}
        />
      </button>
    </div>
  )
}
