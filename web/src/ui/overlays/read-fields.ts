/** Values of all fields in an element as one text, by which two moments can be compared. */
export const readFields = (within: Element): string =>
  JSON.stringify(
    [...within.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>('input, select, textarea')]
      // A file that was chosen cannot be read back, but its name can.
      .map((field) => ('checked' in field && /^(checkbox|radio)$/.test(field.type) ? field.checked : field.value)),
  )
