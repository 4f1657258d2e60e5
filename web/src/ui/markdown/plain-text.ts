/** Text of Markdown without its marks, on one line: for excerpts of answers, where nothing is laid out. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/^ {0,3}(```|~~~).*$/gm, '')
    .replaceAll(/^ {0,3}\|?[\s:|-]*-{3,}[\s:|-]*\|?$/gm, '')
    .replaceAll(/^ {0,3}(#{1,6}|>|[-*+]|\d+[.)])\s+(\[[ x]\]\s+)?/gim, '')
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replaceAll(/\s?\[\d{1,4}(\s*,\s*\d{1,4})*\]/g, '')
    .replaceAll(/(\*{1,3}|__|~~|`{1,2})(?=\S)([^\n]*?\S)\1/g, '$2')
    .replaceAll(/^[ \t]*\|[ \t]*|[ \t]*\|[ \t]*$/gm, '')
    .replaceAll(/[ \t]+\|[ \t]+/g, ' · ')
    .replaceAll(/\s+/g, ' ')
    .trim()
