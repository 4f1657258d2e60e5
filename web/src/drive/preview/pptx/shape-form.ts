import type { CSSProperties } from 'react'

/** Outlines that browsers draw by themselves, by the names that PowerPoint gives them. Others are shown as rectangles. */
const FORMS: Record<string, CSSProperties> = {
  roundRect: { borderRadius: '1.6cqw' },
  ellipse: { borderRadius: '50%' },
  triangle: { clipPath: 'polygon(50% 0, 100% 100%, 0 100%)' },
  diamond: { clipPath: 'polygon(50% 0, 100% 50%, 50% 100%, 0 50%)' },
  rightArrow: { clipPath: 'polygon(0 25%, 65% 25%, 65% 0, 100% 50%, 65% 100%, 65% 75%, 0 75%)' },
  leftArrow: { clipPath: 'polygon(100% 25%, 35% 25%, 35% 0, 0 50%, 35% 100%, 35% 75%, 100% 75%)' },
  upArrow: { clipPath: 'polygon(25% 100%, 25% 35%, 0 35%, 50% 0, 100% 35%, 75% 35%, 75% 100%)' },
  downArrow: { clipPath: 'polygon(25% 0, 25% 65%, 0 65%, 50% 100%, 100% 65%, 75% 65%, 75% 0)' },
  homePlate: { clipPath: 'polygon(0 0, 80% 0, 100% 50%, 80% 100%, 0 100%)' },
  chevron: { clipPath: 'polygon(0 0, 75% 0, 100% 50%, 75% 100%, 0 100%, 25% 50%)' },
}

/** Styles for the outline of a shape. */
export function formOf(shape: Element): CSSProperties | undefined {
  const name = shape.getElementsByTagName('a:prstGeom')[0]?.getAttribute('prst')
  return name && Object.hasOwn(FORMS, name) ? FORMS[name] : undefined
}
