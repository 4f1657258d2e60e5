/** Beginnings that leave out the subject, so that a comment can be understood only with the code below it. */
const SUBJECTLESS =
  /^(?:(?:What|Of|Those|Whose|Whom|Who|Whoever|Where|Whatever|Which|That|One that)\b|The same(?=[,.]| (?:in|for|as|to|with|without|where|among|once|on|by)\b))/

/** Comments of a file that begin without a subject, with their lines: after `/**`, or in the first of several `//`. */
export function subjectlessComments(text: string): { line: number; comment: string }[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.flatMap((line, at) => {
    const before = lines[at - 1] ?? ''
    const isFirst = line.startsWith('/**') || (line.startsWith('//') && !before.startsWith('//')) || before === '/**'
    const [, comment = ''] = /^(?:\/\*\*|\/\/|\*)\s+(.*?)(?:\s*\*\/)?$/.exec(line) ?? []
    return isFirst && SUBJECTLESS.test(comment) ? [{ line: at + 1, comment }] : []
  })
}
