interface Policy {
  createHTML(text: string): string
}

let isAllowed = false

/** Lets strings be read as XML, which previews do with the parts of a document: nothing of it joins the page. */
export function allowXml(): void {
  const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }).trustedTypes
  if (isAllowed || !factory) return
  isAllowed = true
  const policy = factory.createPolicy('docent-xml', { createHTML: (text) => text })
  const parse = DOMParser.prototype.parseFromString
  DOMParser.prototype.parseFromString = function parseXml(text, type) {
    return parse.call(this, type === 'application/xml' ? policy.createHTML(String(text)) : text, type)
  }
}
