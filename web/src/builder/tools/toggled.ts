/** Adds a name to a list, or removes it. */
export const toggled = (names: string[], name: string, isIn: boolean): string[] =>
  isIn ? [...names.filter((other) => other !== name), name] : names.filter((other) => other !== name)
