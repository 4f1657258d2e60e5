/**
 * Runs inside the sandbox before anything else: gives the code a `console` and its `input`, and returns the function by
 * which values are shown. Nothing longer than `longest` leaves it, whatever the code did to the language. A string,
 * because it is compiled there.
 */
export const BOOTSTRAP = `(print, text, hasInput, longest) => {
  'use strict'
  const { stringify, parse } = JSON
  const { apply } = Reflect
  const { slice } = String.prototype
  const cut = (text) => (typeof text === 'string' ? apply(slice, text, [0, longest]) : '')
  const isError = (value) => value instanceof Error
  const describe = (error) => {
    const head = String(error)
    return error.stack ? head + '\\n' + String(error.stack).trimEnd() : head
  }
  const show = (value) => {
    if (typeof value === 'string') return value
    if (isError(value)) return describe(value)
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return typeof value === 'bigint' ? value + 'n' : String(value)
    const above = []
    const replace = function (key, value) {
      while (above.length > 0 && above[above.length - 1] !== this) above.pop()
      if (typeof value === 'bigint') return value + 'n'
      if (typeof value === 'function') return '[function ' + (value.name || 'anonymous') + ']'
      if (typeof value === 'symbol') return String(value)
      if (typeof value === 'number' && !(value - value === 0)) return String(value)
      if (value === null || typeof value !== 'object') return value
      if (above.includes(value)) return '[circular]'
      above.push(value)
      if (isError(value)) return String(value)
      let plain = value
      if (value instanceof Map) plain = Object.fromEntries(value)
      else if (value instanceof Set) plain = [...value]
      else if (ArrayBuffer.isView(value) && !(value instanceof DataView)) plain = Array.from(value)
      else if (value instanceof RegExp) return String(value)
      if (plain !== value) above.push(plain)
      return plain
    }
    const short = stringify(value, replace)
    if (short === undefined) return String(value)
    above.length = 0
    return short.length <= 100 ? short : stringify(value, replace, 1)
  }
  let hasRoom = true
  const write = (...values) => {
    if (hasRoom) hasRoom = print(cut(values.map(show).join(' ')))
  }
  const console = {}
  for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace', 'dir', 'table']) console[name] = write
  globalThis.console = console
  if (hasInput) {
    let input = text
    try { input = parse(text) } catch {}
    globalThis.input = input
  }
  return (value) => cut(show(value))
}`
