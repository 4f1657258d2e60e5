import type { PhrasingContent, Root } from 'mdast'
import { visit } from 'unist-util-visit'

/** End of a text before the address of a picture that the server made inert, with the picture's alternative text. */
const BEFORE = /!\[([^[\]]*)\] \($/

/**
 * Turns pictures that the server refused (`![a map] (` and their address as code, then `)`) back into pictures without
 * an address, for a placeholder: `<img alt="a map" data-refused="hxxps://…">`.
 */
export function remarkRefusedPictures() {
  return (tree: Root) => {
    visit(tree, 'inlineCode', (code, index, parent) => {
      if (!parent || !index) return
      const before = parent.children[index - 1]!
      const after = parent.children[index + 1]
      if (before.type !== 'text' || after?.type !== 'text' || !after.value.startsWith(')')) return
      const found = BEFORE.exec(before.value)
      if (!found) return
      before.value = before.value.slice(0, found.index)
      after.value = after.value.slice(1)
      const picture = {
        type: 'refusedPicture',
        data: { hName: 'img', hProperties: { alt: found[1], dataRefused: code.value } },
        children: [],
      }
      parent.children[index] = picture as unknown as PhrasingContent
    })
  }
}
