/**
 * Characters that change the direction or the line of what is around them: `ev<U+202E>txt.exe` reads as `evexe.txt`.
 */
const MARKS = /[\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

export const withoutDirectionMarks = (text: string): string => text.replace(MARKS, '')
