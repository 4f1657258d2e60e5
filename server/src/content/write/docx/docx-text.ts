import type { IRunOptions, ParagraphChild } from 'docx'
import type { Run } from '../written-document.ts'

interface Look {
  color?: string
  bold?: boolean
  /** Half points. */
  size?: number
  rightToLeft?: boolean
}

/** Styled text for a paragraph. */
export function docxText(docx: typeof import('docx'), runs: Run[], look: Look = {}): ParagraphChild[] {
  return runs.flatMap((run): ParagraphChild[] => {
    const texts = run.text
      .split('\n')
      .map(
        (text, index) =>
          new docx.TextRun({ children: tabbed(docx, text), ...optionsOf(run, look), ...(index > 0 && { break: 1 }) }),
      )
    return run.link ? [new docx.ExternalHyperlink({ link: run.link, children: texts })] : texts
  })
}

const tabbed = (docx: typeof import('docx'), text: string): (string | InstanceType<typeof docx.Tab>)[] =>
  text.split('\t').flatMap((part, index) => (index === 0 ? [part] : [new docx.Tab(), part]))

const optionsOf = ({ bold, italic, strike, code, superscript, link }: Run, look: Look): IRunOptions => ({
  bold: bold || look.bold,
  italics: italic,
  strike,
  superScript: superscript,
  rightToLeft: look.rightToLeft,
  ...(look.color && { color: look.color }),
  ...(look.size && { size: look.size }),
  ...(code && { font: 'Consolas', size: look.size ?? 19, shading: { type: 'clear', fill: 'EEF1F4' } }),
  ...(link && { style: 'Hyperlink' }),
})
