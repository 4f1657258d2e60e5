// Stands in for `style-to-object`, which reads `style` attributes: Markdown without HTML has none.
export default (): Record<string, string> => ({})
