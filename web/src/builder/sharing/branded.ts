import type { CSSProperties } from 'react'
import '../../styles/brand.css'

/** Attributes of an element that shows buttons and links in the colour of a link; null for the colour of the UI. */
export const branded = (color: string | null): { className?: string; style?: CSSProperties } =>
  color === null ? {} : { className: 'branded', style: { '--brand': color } as CSSProperties }
