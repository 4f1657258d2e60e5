/** Text in which dots stand between the items of a list, as between the cells of a table, in the place of their marks. */
export const dotItems = (text: string): string =>
  text
    .replaceAll(/(^|\n) {0,3}(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?/gi, '$1· ')
    .replaceAll(/(^|[.:;!?…])(\s*)· /g, '$1$2')

/** Text of Markdown without its marks, on one line: for excerpts of answers, where nothing is laid out. */
export const plainText = (markdown: string): string =>
  dotItems(markdown.replaceAll(/^ {0,3}(```|~~~).*$/gm, ''))
    .replaceAll(/^ {0,3}\|?[\s:|-]*-{3,}[\s:|-]*\|?$/gm, '')
    .replaceAll(/^ {0,3}(#{1,6}|>)\s+/gm, '')
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replaceAll(/\s?\[\d{1,4}(\s*,\s*\d{1,4})*\]/g, '')
    .replaceAll(/(\*{1,3}|__|~~|`{1,2})(?=\S)([^\n]*?\S)\1/g, '$2')
    .replaceAll(/^[ \t]*\|[ \t]*|[ \t]*\|[ \t]*$/gm, '')
    .replaceAll(/[ \t]+\|[ \t]+/g, ' · ')
    .replaceAll(/\s+/g, ' ')
    .trim()
