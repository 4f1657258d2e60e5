/** Look-ups that shapes are read with. */
export interface Parts {
  /** CSS colours by the names of the theme. */
  theme: Record<string, string>
  /** Picture of a slide, by the id of its relation. */
  pictureUrl(id: string): string | undefined
  /** Part of a slide in XML, such as a chart, by the id of its relation. */
  xml(id: string): Document | undefined
}

/** First colour that an element names. */
export function colourIn(element: Element, theme: Record<string, string>): string | undefined {
  const plain = element.getElementsByTagName('a:srgbClr')[0]?.getAttribute('val')
  if (plain && /^[0-9a-f]{6}$/i.test(plain)) return `#${plain}`
  return theme[element.getElementsByTagName('a:schemeClr')[0]?.getAttribute('val') ?? '']
}
