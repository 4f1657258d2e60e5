/** Keeps quoted material from closing the section that marks it as such. */
export const quoted = (text: string): string => text.replaceAll(/<(?=\/?passage)/gi, '<\u200b')
