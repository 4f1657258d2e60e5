import { percentDecoded } from '../../platform/text/percent-decoded.ts'

const PICTURE = /!\[[^\]]*\]\(\s*(?:<([^<>\n]+)>|([^()\s]+))/g

/** Names of files that Markdown shows as pictures, each once; addresses in the web are none. */
export function pictureNames(markdown: string): string[] {
  const urls = [...markdown.matchAll(PICTURE)].map((match) => match[1] ?? match[2]!)
  return [...new Set(urls.filter((url) => !/^[a-z]+:/i.test(url)).map(pictureName))]
}

/** The file that an address in Markdown means: `my%20chart.png` is `my chart.png`. */
export const pictureName = percentDecoded
