/** Beginning of anything that is, or hides, a link. */
const TRIGGER = /[`~<&]|\/(?=\/|$)|(?<=\])[(:]|(?<=xmpp):|(?<![a-z\d])(?:h(?=t|$)|w(?=w|$))/gi
/** A text without any character that a trigger has. */
export const PLAIN = /^[^`~<&/(:hw]+$/i
/** Beginnings of `https://` and `www.`; the marks may be escaped. */
export const OPEN_SCHEME = /^h(?:t(?:t(?:p(?:s?(?:\\?(?::(?:\\?(?:\/(?:\\?)?)?)?)?)?)?)?)?)?$/i
export const OPEN_WWW = /^w{1,3}$/i
/** Tags without attributes that are within a line: the only ones that may stay. */
export const PLAIN_TAG = /^<\/?(?:br|b|i|em|strong|u|s|del|ins|sub|sup|kbd|mark|small)\s*\/?>/i
export const EMAIL_LINK = /^<(?!www\.)[\w.+-]+@[\w-]+(?:\.[\w-]+)+>/
export const LONGEST_CODE = 2000
/** Number of backticks. */
export const LONGEST_RUN = 50
export const LONGEST_TAG = 80
export const LONGEST_HOST = 255
export const LONGEST_INFO = 200
/** Stands for a line of code that is too long to be anything else. */
export const CODE_LINE = 'x'.repeat(LONGEST_INFO + 1)

/**
 * Finds the next trigger. @param before end of the text that was passed already
 * @returns its index, -1 if there is none
 */
export function nextTrigger(text: string, before: string): number {
  TRIGGER.lastIndex = 0
  for (let found = TRIGGER.exec(text); found; found = TRIGGER.exec(text)) {
    if (found.index > 0 || !/[hw]/i.test(found[0]) || !/[a-z\d]$/i.test(before)) return found.index
  }
  return (before.endsWith(']') && /^[(:]/.test(text)) || isAfterXmpp(text, before) ? 0 : -1
}

/** Whether an address follows `xmpp`: some renderers make that a link. */
const isAfterXmpp = (text: string, before: string): boolean => text.startsWith(':') && /xmpp$/i.test(before)
