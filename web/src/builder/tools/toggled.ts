/** The list with a name in it, or without it. */
export const toggled = (names: string[], name: string, isIn: boolean): string[] =>
  isIn ? [...names.filter((other) => other !== name), name] : names.filter((other) => other !== name)
