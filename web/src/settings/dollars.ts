/** `$12.50`; what is less than a cent with two digits that say something. */
export const dollars = (value: number): string =>
  value === 0 || value >= 0.01 ? `$${value.toFixed(2)}` : `$${value.toPrecision(2)}`
