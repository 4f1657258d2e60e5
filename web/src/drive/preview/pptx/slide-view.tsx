// biome-ignore-all lint/suspicious/noArrayIndexKey: parts of a slide have no names, and do not change.
import { t } from '@lingui/core/macro'
import type { CSSProperties } from 'react'
import type { Presentation, Slide } from './read-pptx.ts'
import type { Paragraph, Shape } from './read-shapes.ts'

const EMU_PER_POINT = 12_700
const POINTS = { title: 36, body: 22, other: 18 }
const POINTS_IN_TABLES = 14

interface SlideViewProps extends Pick<Presentation, 'width' | 'height'> {
  slide: Slide
  number: number
}

/** Slide as it is shown: its sizes are shares of its width. */
export function SlideView({ slide, number, width, height }: SlideViewProps) {
  const points = (size: number) => `${((size * EMU_PER_POINT) / width) * 100}cqw`
  const place = ({ box, ...shape }: Shape): CSSProperties => {
    // Without a place: a title at the top, all else below.
    const isTitle = shape.kind === 'text' && shape.role === 'title'
    const {
      x,
      y,
      width: wide,
      height: high,
    } = box ?? {
      x: width * 0.06,
      y: height * (isTitle ? 0.06 : 0.26),
      width: width * 0.88,
      height: height * (isTitle ? 0.16 : 0.66),
    }
    const share = (part: number, whole: number) => `${(part / whole) * 100}%`
    return { left: share(x, width), top: share(y, height), width: share(wide, width), minHeight: share(high, height) }
  }
  const shown = (paragraphs: Paragraph[], usual: number) =>
    paragraphs.map(({ runs, level, mark, align }, at) => (
      <p
        key={at}
        dir="auto"
        style={{
          fontSize: points(runs[0]?.size ?? usual),
          textAlign: align,
          marginInlineStart: level === undefined ? undefined : `${1 + level * 1.2}em`,
        }}
        className="min-h-[1em] whitespace-pre-wrap"
      >
        {level !== undefined && (
          <span aria-hidden className="-ms-[1em] inline-block w-[1em]">
            {mark}
          </span>
        )}
        {runs.map(({ text, isBold, isItalic, colour, size }, at) => (
          <span
            key={at}
            style={{
              color: colour,
              fontSize: points(size ?? usual),
              fontWeight: isBold ? 700 : undefined,
              fontStyle: isItalic ? 'italic' : undefined,
            }}
          >
            {text}
          </span>
        ))}
      </p>
    ))
  return (
    <section
      aria-label={t`Slide ${number}`}
      data-slide={number}
      className="@container relative mx-auto w-full max-w-4xl overflow-hidden text-black shadow-raised [color-scheme:light]"
      style={{ aspectRatio: `${width} / ${height}`, background: slide.background }}
    >
      {slide.shapes.map((shape, at) => {
        if (shape.kind === 'picture')
          return (
            <img
              key={at}
              src={shape.url}
              alt={shape.name}
              className="absolute object-contain"
              style={{ ...place(shape), height: place(shape).minHeight }}
            />
          )
        if (shape.kind === 'table')
          return (
            <table key={at} className="absolute border-collapse leading-tight" style={place(shape)}>
              <tbody>
                {shape.rows.map((cells, row) => (
                  <tr key={row}>
                    {cells.map((cell, column) => (
                      <td
                        key={column}
                        className="border border-black/30 px-[0.6cqw] py-[0.3cqw] align-top"
                        style={{ background: cell.fill }}
                      >
                        {shown(cell.paragraphs, POINTS_IN_TABLES)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          )
        return (
          <div
            key={at}
            className="absolute flex flex-col gap-[0.5cqw] p-[0.8cqw] leading-tight wrap-anywhere"
            style={{ ...place(shape), ...shape.form, background: shape.fill, justifyContent: shape.anchor }}
          >
            {shown(shape.paragraphs, POINTS[shape.role])}
          </div>
        )
      })}
    </section>
  )
}
